/* What kernels for Intel's FPGA SDK for OpenCL begin with, behind opencl_c.h. By a compiler of C++ they are compiled with the host
   as a functional simulation, in which sluice/hls.h, included before, stands for channels. */
#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_intel_channels : enable
/* Memory off the chip, of which an argument says where it begins. */
#define sluice_off_chip(T) __global T*
#define SLUICE_BANK(name) __attribute__((buffer_location(name)))
#else
#define sluice_off_chip(T) sluice::hls::OffChip<T>
#define SLUICE_BANK(name)
#define read_channel_intel(stream) (stream).read()
#define write_channel_intel(stream, value) (stream).write(value)
#define __kernel static
#define __constant static const
#define restrict
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#endif
