/* The kernels of axpydot. */

static void axpy(const int64_t N, hls::stream<double, 16>& stream_fpga_x, hls::stream<double, 16>& stream_fpga_y, hls::stream<double, 16>& stream_z) {
    for (int64_t i = 0; i < N; ++i) {
#pragma HLS PIPELINE II=1
        double xi;
        xi = stream_fpga_x.read();
        double yi;
        yi = stream_fpga_y.read();
        stream_z.write(2.0 * xi + yi);
    }
}

static void read_fpga_x(sluice_off_chip<const double> fpga_x, const int64_t N, hls::stream<double, 16>& stream_fpga_x) {
    for (int64_t i = 0; i < N; ++i) {
#pragma HLS PIPELINE II=1
        const double value = fpga_x[i];
        stream_fpga_x.write(value);
    }
}

static void read_fpga_y(sluice_off_chip<const double> fpga_y, const int64_t N, hls::stream<double, 16>& stream_fpga_y) {
    for (int64_t i = 0; i < N; ++i) {
#pragma HLS PIPELINE II=1
        const double value = fpga_y[i];
        stream_fpga_y.write(value);
    }
}

static void inner(sluice_off_chip<double> fpga_result, const int64_t N, hls::stream<double, 16>& stream_fpga_w, hls::stream<double, 16>& stream_z) {
    double _sum;
    _sum = 0.0;
    {  // inner
        double _sum_sum = 0.0;
        for (int64_t __N = 0; __N < N; ++__N) {
#pragma HLS PIPELINE
            double __x1;
            __x1 = stream_fpga_w.read();
            double __x0;
            __x0 = stream_z.read();
            double __o = __x0 * __x1;
            _sum_sum += __o;
        }
        _sum += _sum_sum;
    }
    {  // finish
        const double __s = _sum;
        double __o = __s;
        fpga_result[0] = __o;
    }
}

static void read_fpga_w(sluice_off_chip<const double> fpga_w, const int64_t N, hls::stream<double, 16>& stream_fpga_w) {
    for (int64_t __N = 0; __N < N; ++__N) {
#pragma HLS PIPELINE II=1
        const double value = fpga_w[__N];
        stream_fpga_w.write(value);
    }
}

extern "C" void axpydot_main(sluice_off_chip<double> fpga_result, sluice_off_chip<const double> fpga_w, sluice_off_chip<const double> fpga_x, sluice_off_chip<const double> fpga_y, const int64_t N) {
#pragma HLS INTERFACE m_axi port=fpga_result offset=slave bundle=gmem_fpga_result
#pragma HLS INTERFACE s_axilite port=fpga_result
#pragma HLS INTERFACE m_axi port=fpga_w offset=slave bundle=gmem_fpga_w
#pragma HLS INTERFACE s_axilite port=fpga_w
#pragma HLS INTERFACE m_axi port=fpga_x offset=slave bundle=gmem_fpga_x
#pragma HLS INTERFACE s_axilite port=fpga_x
#pragma HLS INTERFACE m_axi port=fpga_y offset=slave bundle=gmem_fpga_y
#pragma HLS INTERFACE s_axilite port=fpga_y
#pragma HLS INTERFACE s_axilite port=N
#pragma HLS INTERFACE s_axilite port=return
#pragma HLS DATAFLOW
    hls::stream<double, 16> stream_fpga_w("stream_fpga_w");
#pragma HLS STREAM variable=stream_fpga_w depth=16
    hls::stream<double, 16> stream_fpga_x("stream_fpga_x");
#pragma HLS STREAM variable=stream_fpga_x depth=16
    hls::stream<double, 16> stream_fpga_y("stream_fpga_y");
#pragma HLS STREAM variable=stream_fpga_y depth=16
    hls::stream<double, 16> stream_z("stream_z");
#pragma HLS STREAM variable=stream_z depth=16
    SLUICE_ELEMENTS("axpydot_main");
    SLUICE_ELEMENT(axpy, N, stream_fpga_x, stream_fpga_y, stream_z);
    SLUICE_ELEMENT(read_fpga_x, fpga_x, N, stream_fpga_x);
    SLUICE_ELEMENT(read_fpga_y, fpga_y, N, stream_fpga_y);
    SLUICE_ELEMENT(inner, fpga_result, N, stream_fpga_w, stream_z);
    SLUICE_ELEMENT(read_fpga_w, fpga_w, N, stream_fpga_w);
    SLUICE_ELEMENTS_END;
}
