@_exported import Posix
