// Names of exported functions. A library that exported a function under the name of one of the C library's would be called in its
// place by the whole process that links it.
#include "codegen/c_like/exported.h"

#include <unordered_set>

#include "loop/identifier.h"
#include "support/words.h"

namespace sluice::codegen {

namespace {

// Functions of the C library: C17 and POSIX (strings, files, processes, time, sockets, mathematics).
constexpr std::string_view kCLibrary =
    "a64l abort abs accept access acos acosf acosh acoshf acoshl acosl alarm aligned_alloc asctime asctime_r asin asinf "
    "asinh asinhf asinhl asinl atan atan2 atan2f atan2l atanf atanh atanhf atanhl atanl atof atoi atol atoll bind bsearch "
    "btowc c16rtomb c32rtomb cabs cabsf cabsl cacos cacosf cacosh cacoshf cacoshl cacosl calloc carg cargf cargl casin "
    "casinf casinh casinhf casinhl casinl catan catanf catanh catanhf catanhl catanl cbrt cbrtf cbrtl ccos ccosf ccosh "
    "ccoshf ccoshl ccosl ceil ceilf ceill cexp cexpf cexpl chdir chmod chown cimag cimagf cimagl clearerr clock "
    "clock_getcpuclockid clock_getres clock_gettime clock_nanosleep clock_settime clog clogf clogl close confstr conj "
    "conjf conjl connect copysign copysignf copysignl cos cosf cosh coshf coshl cosl cpow cpowf cpowl cproj cprojf cprojl "
    "creal crealf creall creat csin csinf csinh csinhf csinhl csinl csqrt csqrtf csqrtl ctan ctanf ctanh ctanhf ctanhl "
    "ctanl ctermid ctime ctime_r difftime dirname div dlclose dlerror dlopen dlsym dprintf drand48 dup dup2 duplocale "
    "erand48 erf erfc erfcf erfcl erff erfl execl execle execlp execv execve execvp exit exp exp2 exp2f exp2l expf expl "
    "expm1 expm1f expm1l fabs fabsf fabsl faccessat fchdir fchmod fchmodat fchown fchownat fclose fcntl fdatasync fdim "
    "fdimf fdiml fdopen feclearexcept fegetenv fegetexceptflag fegetround feholdexcept feof feraiseexcept ferror fesetenv "
    "fesetexceptflag fesetround fetestexcept feupdateenv fexecve fflush ffs fgetc fgetpos fgets fgetwc fgetws fileno "
    "flock flockfile floor floorf floorl fma fmaf fmal fmax fmaxf fmaxl fmemopen fmin fminf fminl fmod fmodf fmodl fopen fork "
    "fpathconf fprintf fputc fputs fputwc fputws fread free freelocale freopen frexp frexpf frexpl fscanf fseek fseeko "
    "fsetpos fstat fstatat fsync ftell ftello ftruncate ftrylockfile funlockfile futimens fwide fwprintf fwrite fwscanf "
    "getc getc_unlocked getchar getchar_unlocked getcwd getdate getdelim getegid getenv geteuid getgid getgroups "
    "gethostid gethostname getitimer getline getlogin getlogin_r getopt getpeername getpgid getpgrp getpid getppid getsid "
    "getsockname getsockopt getsubopt gettimeofday getuid getwc getwchar gmtime gmtime_r grantpt hcreate hdestroy hsearch "
    "hypot hypotf hypotl ilogb ilogbf ilogbl imaxabs imaxdiv initstate insque isalnum isalnum_l isalpha isalpha_l isascii "
    "isatty isblank isblank_l iscntrl iscntrl_l isdigit isdigit_l isgraph isgraph_l islower islower_l isprint isprint_l "
    "ispunct ispunct_l isspace isspace_l isupper isupper_l iswalnum iswalnum_l iswalpha iswalpha_l iswblank iswblank_l "
    "iswcntrl iswcntrl_l iswctype iswctype_l iswdigit iswdigit_l iswgraph iswgraph_l iswlower iswlower_l iswprint "
    "iswprint_l iswpunct iswpunct_l iswspace iswspace_l iswupper iswupper_l iswxdigit iswxdigit_l isxdigit isxdigit_l j0 "
    "j1 jn jrand48 kill killpg l64a labs lchown lcong48 ldexp ldexpf ldexpl ldiv lfind lgamma lgammaf lgammal link linkat "
    "listen llabs lldiv llrint llrintf llrintl llround llroundf llroundl localeconv localtime localtime_r lockf log log10 "
    "log10f log10l log1p log1pf log1pl log2 log2f log2l logb logbf logbl logf logl longjmp lrand48 lrint lrintf lrintl "
    "lround lroundf lroundl lsearch lseek lstat madvise main malloc mblen mbrlen mbrtoc16 mbrtoc32 mbrtowc mbsinit mbsnrtowcs "
    "mbsrtowcs mbstowcs mbtowc memccpy memchr memcmp memcpy memmove memset mkdir mkdirat mkdtemp mkfifo mkfifoat mknod "
    "mknodat mkstemp mktime mlock mlockall mmap modf modff modfl mprotect mrand48 msync munlock munlockall munmap nan "
    "nanf nanl nanosleep nearbyint nearbyintf nearbyintl newlocale nextafter nextafterf nextafterl nexttoward nexttowardf "
    "nexttowardl nice nrand48 open open_memstream open_wmemstream openat pathconf pause pclose perror pipe poll popen "
    "posix_fadvise posix_fallocate posix_madvise posix_memalign posix_openpt pow powf powl pread printf pselect psiginfo "
    "psignal pthread_kill pthread_sigmask ptsname putc putc_unlocked putchar putchar_unlocked putenv puts putwc putwchar "
    "pwrite qsort quick_exit raise rand rand_r random read readlink readlinkat realloc realpath recv recvfrom recvmsg "
    "remainder remainderf remainderl remove remque remquo remquof remquol rename renameat rewind rint rintf rintl rmdir "
    "round roundf roundl scalbln scalblnf scalblnl scalbn scalbnf scalbnl scanf sched_get_priority_max "
    "sched_get_priority_min sched_getparam sched_getscheduler sched_rr_get_interval sched_setparam sched_setscheduler "
    "sched_yield seed48 select send sendmsg sendto setbuf setegid setenv seteuid setgid setitimer setjmp setlocale "
    "setpgid setpgrp setregid setreuid setsid setsockopt setstate setuid setvbuf shm_open shm_unlink shutdown sigaction "
    "sigaddset sigaltstack sigdelset sigemptyset sigfillset sighold sigignore siginterrupt sigismember siglongjmp signal "
    "sigpause sigpending sigprocmask sigqueue sigrelse sigset sigsuspend sigtimedwait sigwait sigwaitinfo sin sinf sinh "
    "sinhf sinhl sinl sleep snprintf sockatmark socket socketpair sprintf sqrt sqrtf sqrtl srand srand48 srandom sscanf "
    "stat stpcpy stpncpy strcasecmp strcasecmp_l strcat strchr strcmp strcoll strcoll_l strcpy strcspn strdup strerror "
    "strerror_l strerror_r strftime strftime_l strlen strncasecmp strncasecmp_l strncat strncmp strncpy strndup strnlen "
    "strpbrk strptime strrchr strsignal strspn strstr strtod strtof strtoimax strtok strtok_r strtol strtold strtoll "
    "strtoul strtoull strtoumax strxfrm strxfrm_l swab swprintf swscanf symlink symlinkat sync sysconf system tan tanf "
    "tanh tanhf tanhl tanl tcgetpgrp tcsetpgrp tdelete tempnam tfind tgamma tgammaf tgammal time timer_create "
    "timer_delete timer_getoverrun timer_gettime timer_settime timespec_get tmpfile tmpnam toascii tolower tolower_l "
    "toupper toupper_l towctrans towctrans_l towlower towlower_l towupper towupper_l trunc truncate truncf truncl tsearch "
    "ttyname ttyname_r twalk tzset umask ungetc ungetwc unlink unlinkat unlockpt unsetenv uselocale utimensat utimes "
    "vdprintf vfprintf vfscanf vfwprintf vfwscanf vprintf vscanf vsnprintf vsprintf vsscanf vswprintf vswscanf vwprintf "
    "vwscanf wait waitid waitpid wcpcpy wcpncpy wcrtomb wcscasecmp wcscasecmp_l wcscat wcschr wcscmp wcscoll wcscoll_l "
    "wcscpy wcscspn wcsdup wcsftime wcslen wcsncasecmp wcsncasecmp_l wcsncat wcsncmp wcsncpy wcsnlen wcsnrtombs wcspbrk "
    "wcsrchr wcsrtombs wcsspn wcsstr wcstod wcstof wcstoimax wcstok wcstol wcstold wcstoll wcstombs wcstoul wcstoull "
    "wcstoumax wcswcs wcswidth wcsxfrm wcsxfrm_l wctob wctomb wctrans wctrans_l wctype wctype_l wcwidth wmemchr wmemcmp "
    "wmemcpy wmemmove wmemset wprintf write wscanf y0 y1 yn "
    "pthread_atfork pthread_attr_destroy pthread_attr_getdetachstate pthread_attr_getguardsize "
    "pthread_attr_getinheritsched pthread_attr_getschedparam pthread_attr_getschedpolicy pthread_attr_getscope "
    "pthread_attr_getstack pthread_attr_getstackaddr pthread_attr_getstacksize pthread_attr_init "
    "pthread_attr_setdetachstate pthread_attr_setguardsize pthread_attr_setinheritsched pthread_attr_setschedparam "
    "pthread_attr_setschedpolicy pthread_attr_setscope pthread_attr_setstack pthread_attr_setstackaddr "
    "pthread_attr_setstacksize pthread_barrier_destroy pthread_barrier_init pthread_barrier_wait "
    "pthread_barrierattr_destroy pthread_barrierattr_getpshared pthread_barrierattr_init pthread_barrierattr_setpshared "
    "pthread_cancel pthread_cond_broadcast pthread_cond_destroy pthread_cond_init pthread_cond_signal "
    "pthread_cond_timedwait pthread_cond_wait pthread_condattr_destroy pthread_condattr_getclock "
    "pthread_condattr_getpshared pthread_condattr_init pthread_condattr_setclock pthread_condattr_setpshared "
    "pthread_create pthread_detach pthread_equal pthread_exit pthread_getconcurrency pthread_getcpuclockid "
    "pthread_getschedparam pthread_getspecific pthread_join pthread_key_create pthread_key_delete pthread_kill "
    "pthread_mutex_consistent pthread_mutex_destroy pthread_mutex_getprioceiling pthread_mutex_init pthread_mutex_lock "
    "pthread_mutex_setprioceiling pthread_mutex_timedlock pthread_mutex_trylock pthread_mutex_unlock "
    "pthread_mutexattr_destroy pthread_mutexattr_getprioceiling pthread_mutexattr_getprotocol "
    "pthread_mutexattr_getpshared pthread_mutexattr_getrobust pthread_mutexattr_gettype pthread_mutexattr_init "
    "pthread_mutexattr_setprioceiling pthread_mutexattr_setprotocol pthread_mutexattr_setpshared "
    "pthread_mutexattr_setrobust pthread_mutexattr_settype pthread_once pthread_rwlock_destroy pthread_rwlock_init "
    "pthread_rwlock_rdlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_rwlock_tryrdlock "
    "pthread_rwlock_trywrlock pthread_rwlock_unlock pthread_rwlock_wrlock pthread_rwlockattr_destroy "
    "pthread_rwlockattr_getkind_np pthread_rwlockattr_getpshared pthread_rwlockattr_init pthread_rwlockattr_setkind_np "
    "pthread_rwlockattr_setpshared pthread_self pthread_setcancelstate pthread_setcanceltype pthread_setconcurrency "
    "pthread_setschedparam pthread_setschedprio pthread_setspecific pthread_sigmask pthread_spin_destroy "
    "pthread_spin_init pthread_spin_lock pthread_spin_trylock pthread_spin_unlock pthread_testcancel sem_close "
    "sem_destroy sem_getvalue sem_init sem_open sem_post sem_timedwait sem_trywait sem_unlink sem_wait ";

bool is_taken(std::string_view name) {
    static const std::vector<std::string_view> words = words_in(kCLibrary);
    static const std::unordered_set<std::string_view> library(words.begin(), words.end());
    for (const std::string_view prefix : {"cblas_", "omp_", "GOMP_"})
        if (name.starts_with(prefix)) return true;
    return library.contains(name) || loop::is_reserved(name);
}

}  // namespace

std::string exported_name(const std::string& program, const std::string& suffix) {
    const std::string name = program + suffix;
    return is_taken(name) ? loop::renamed(name) : name;
}

}  // namespace sluice::codegen
