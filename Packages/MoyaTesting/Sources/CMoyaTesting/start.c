// Runs before `main` in each program that links MoyaTesting. From then on, problems that MoyaStubs
// reports fail the running test. In C, because Swift has no function that runs at load time.

extern void moya_testing_report_to_tests(void);

__attribute__((constructor)) static void start(void) {
    moya_testing_report_to_tests();
}
