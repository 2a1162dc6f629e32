/* What kernels for Vitis HLS begin with. Without synthesis they are compiled with the host as a functional simulation, in which
   sluice/hls.h, included before, stands for the vendor's hls_stream.h. */
#ifdef __SYNTHESIS__
#include <hls_stream.h>
/* Memory off the chip, of which an argument says where it begins. */
template <class T> using sluice_off_chip = T*;
/* A dataflow region calls its processing elements. */
#define SLUICE_ELEMENTS(kernel)
#define SLUICE_ELEMENT(element, ...) element(__VA_ARGS__)
#define SLUICE_ELEMENTS_END
#define SLUICE_NAMED(streams)
#else
template <class T> using sluice_off_chip = sluice::hls::OffChip<T>;
/* The simulation runs them as threads. */
#define SLUICE_ELEMENTS(kernel) sluice::hls::Elements sluice_elements(kernel)
#define SLUICE_ELEMENT(element, ...) sluice_elements.start(#element, element __VA_OPT__(, ) __VA_ARGS__)
#define SLUICE_ELEMENTS_END sluice_elements.join()
#define SLUICE_NAMED(streams) sluice::hls::name_all(streams, #streams)
#endif
