/* What Debian's libstdc++ and libgcc take from glibc, for a program that is linked with musl. */
#include <stddef.h>

char __libc_single_threaded = 0;
struct { unsigned vendor, type, subtype, features[1]; } __cpu_model;

extern long syscall(long, ...);
extern size_t strftime_l(char *, size_t, const char *, const void *, void *);

size_t __strftime_l(char *text, size_t size, const char *format, const void *time, void *locale) {
  return strftime_l(text, size, format, time, locale);
}

unsigned arc4random(void) {
  unsigned number;
  syscall(318, &number, sizeof number, 0);
  return number;
}

int __cxa_thread_atexit_impl(void (*end)(void *), void *object, void *library) { return 0; }
int __cpu_indicator_init(void) { return 0; }
int _dl_find_object(void *address, void *result) { return -1; }
