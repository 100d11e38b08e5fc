#ifndef MOONPOD_BOTH_MAINS_H
#define MOONPOD_BOTH_MAINS_H

/*
 * both_mains - main() of the executable and of the kernel, where one file is both: cmake/kernel_within.cmake gives them
 * these names.
 */

int main_of_session(int argc, char **argv);
int main_of_kernel(int argc, char **argv);

#endif
