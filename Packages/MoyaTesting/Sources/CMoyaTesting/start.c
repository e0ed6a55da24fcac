// Runs before `main` in each program that MoyaTesting is linked to, so that problems MoyaStubs reports fail the running
// test. Swift has no function that runs when a module is loaded.

extern void moya_testing_report_to_tests(void);

__attribute__((constructor)) static void start(void) {
    moya_testing_report_to_tests();
}
