/* The kernels of local. */

static void square(sluice_off_chip<const float> fpga_x, sluice_off_chip<float> fpga_y) {
    float lanes[4];
#pragma HLS ARRAY_PARTITION variable=lanes complete dim=1
    float table[16];
    for (int64_t at = 0; at < 16; ++at) {
#pragma HLS PIPELINE II=1
        (table)[at] = (fpga_x)[at];
    }
    for (int64_t i = 0; i < 16; ++i) {
#pragma HLS PIPELINE II=1
#pragma HLS DEPENDENCE variable=table inter false
        const float v = table[i];
        float o = v * v;
        table[i] = o;
    }
    for (int64_t k = 0; k < 4; ++k) {
#pragma HLS UNROLL
        const float v = table[4 * k];
        float o = v;
        lanes[k] = o;
    }
    for (int64_t i = 0; i < 16; ++i) {
#pragma HLS PIPELINE II=1
        const float v = table[i];
        const float l = lanes[i % 4];
        float o = v + l;
        fpga_y[i] = o;
    }
}

extern "C" void local_main(sluice_off_chip<const float> fpga_x, sluice_off_chip<float> fpga_y) {
#pragma HLS INTERFACE m_axi port=fpga_x offset=slave bundle=gmem_fpga_x
#pragma HLS INTERFACE s_axilite port=fpga_x
#pragma HLS INTERFACE m_axi port=fpga_y offset=slave bundle=gmem_fpga_y
#pragma HLS INTERFACE s_axilite port=fpga_y
#pragma HLS INTERFACE s_axilite port=return
#pragma HLS DATAFLOW
    SLUICE_ELEMENTS("local_main");
    SLUICE_ELEMENT(square, fpga_x, fpga_y);
    SLUICE_ELEMENTS_END;
}
