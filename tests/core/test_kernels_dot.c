/* Products of the family that MOONPOD_ISA names (the best by default), with OpenBLAS and without. */

#include "dot_cases.h"

#include "kernels/openblas.h"

#include <sys/wait.h>

#define SKIPPED 77

static int check_family(const char *suffix)
{
    const pod_kernels *kernels;
    pod_error error;
    if (pod_kernels_choose(NULL, &kernels, &error) != POD_OK) {
        fprintf(stderr, "skipped: %s\n", error.message);
        return SKIPPED;
    }
    char what[64];
    snprintf(what, sizeof what, "%s bf16%s", kernels->isa, suffix);
    dot_check_all(&kernels->dot_bf16, POD_BF16, what);
    snprintf(what, sizeof what, "%s f32%s", kernels->isa, suffix);
    dot_check_all(&kernels->dot_f32, POD_F32, what);
    printf("%s: f32 library: %s\n", kernels->isa, pod_kernels_f32_library());
    return dot_failures > 0 ? 1 : 0;
}

int main(void)
{
    /* The library is chosen once a process: a child does without. */
    pid_t child = fork();
    if (child == 0) {
        setenv("MOONPOD_OPENBLAS", "", 1);
        int status = check_family(" without OpenBLAS");
        if (status == 0 && strncmp(pod_kernels_f32_library(), "own kernels", 11) != 0)
            status = 1;
        return status;
    }
    int child_status = 0;
    if (child < 0 || waitpid(child, &child_status, 0) != child || !WIFEXITED(child_status)) {
        fputs("the child that tests without OpenBLAS died\n", stderr);
        return 1;
    }
    int status = check_family("");
    return status != 0 ? status : WEXITSTATUS(child_status);
}
