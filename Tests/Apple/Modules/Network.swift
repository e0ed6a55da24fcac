// No name of Network is used: async-http-client declares its errors where it can import the module.
