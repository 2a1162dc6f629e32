/* The kernels of systolic. */

static void read_A(sluice_off_chip<const double> fpga_A, hls::stream<double, 4>& A_pipe_0) {
    for (int64_t t = 0; t < 2; ++t) {
        for (int64_t q = 0; q < 3; ++q) {
            for (int64_t p = 0; p < 2; ++p) {
#pragma HLS PIPELINE II=1
                const double taken = fpga_A[3 * p + q + 6 * t];
                A_pipe_0.write(taken);
            }
        }
    }
}

static void read_B(sluice_off_chip<const double> fpga_B, hls::stream<double, 4>& B_pipe_0) {
    for (int64_t t = 0; t < 2; ++t) {
        for (int64_t q = 0; q < 3; ++q) {
            for (int64_t c = 0; c < 5; ++c) {
#pragma HLS PIPELINE II=1
                const double taken = fpga_B[c + 5 * q];
                B_pipe_0.write(taken);
            }
        }
    }
}

static void write_C(sluice_off_chip<double> fpga_C, hls::stream<double, 4>& C_pipe_0) {
    for (int64_t t = 0; t < 2; ++t) {
        for (int64_t p = 0; p < 2; ++p) {
            for (int64_t c = 0; c < 5; ++c) {
#pragma HLS PIPELINE II=1
                double taken;
                taken = C_pipe_0.read();
                double given = taken;
                fpga_C[c + 5 * p + 10 * t] = given;
            }
        }
    }
}

static void element_0(hls::stream<double, 4>& A_pipe_0, hls::stream<double, 4>& A_pipe_1, hls::stream<double, 4>& B_pipe_0, hls::stream<double, 4>& B_pipe_1, hls::stream<double, 4>& C_pipe_0, hls::stream<double, 4>& C_pipe_1) {
    for (int64_t t = 0; t < 2; ++t) {
        double row[5];
        for (int64_t c = 0; c < 5; ++c) {
#pragma HLS PIPELINE II=1
            double o = 0.0;
            row[c] = o;
        }
        for (int64_t q = 0; q < 3; ++q) {
            double a;
            {
                double element;
                element = A_pipe_0.read();
                a = element;
            }
            for (int64_t r = 0; r < 1; ++r) {
#pragma HLS UNROLL
                double taken;
                taken = A_pipe_0.read();
                A_pipe_1.write(taken);
            }
            for (int64_t c = 0; c < 5; ++c) {
#pragma HLS PIPELINE II=1
#pragma HLS DEPENDENCE variable=row inter false
                double b;
                {
                    double element;
                    element = B_pipe_0.read();
                    b = element;
                }
                {  // multiply
                    const double x = a;
                    const double y = b;
                    const double s = row[c];
                    double o = s + x * y;
                    row[c] = o;
                }
                for (int64_t once = 0; once < 1; ++once) {
#pragma HLS UNROLL
                    const double taken = b;
                    B_pipe_1.write(taken);
                }
            }
        }
        for (int64_t c = 0; c < 5; ++c) {
#pragma HLS PIPELINE II=1
            const double taken = row[c];
            C_pipe_0.write(taken);
        }
        for (int64_t r = 0; r < 5; ++r) {
#pragma HLS PIPELINE II=1
            double taken;
            taken = C_pipe_1.read();
            C_pipe_0.write(taken);
        }
    }
}

static void element_1(hls::stream<double, 4>& A_pipe_1, hls::stream<double, 4>& A_pipe_2, hls::stream<double, 4>& B_pipe_1, hls::stream<double, 4>& B_pipe_2, hls::stream<double, 4>& C_pipe_1, hls::stream<double, 4>& C_pipe_2) {
    for (int64_t t = 0; t < 2; ++t) {
        double row[5];
        for (int64_t c = 0; c < 5; ++c) {
#pragma HLS PIPELINE II=1
            double o = 0.0;
            row[c] = o;
        }
        for (int64_t q = 0; q < 3; ++q) {
            double a;
            {
                double element;
                element = A_pipe_1.read();
                a = element;
            }
            for (int64_t r = 0; r < 0; ++r) {
#pragma HLS UNROLL
                double taken;
                taken = A_pipe_1.read();
                A_pipe_2.write(taken);
            }
            for (int64_t c = 0; c < 5; ++c) {
#pragma HLS PIPELINE II=1
#pragma HLS DEPENDENCE variable=row inter false
                double b;
                {
                    double element;
                    element = B_pipe_1.read();
                    b = element;
                }
                {  // multiply
                    const double x = a;
                    const double y = b;
                    const double s = row[c];
                    double o = s + x * y;
                    row[c] = o;
                }
                for (int64_t once = 0; once < 0; ++once) {
#pragma HLS UNROLL
                    const double taken = b;
                    B_pipe_2.write(taken);
                }
            }
        }
        for (int64_t c = 0; c < 5; ++c) {
#pragma HLS PIPELINE II=1
            const double taken = row[c];
            C_pipe_1.write(taken);
        }
        for (int64_t r = 0; r < 0; ++r) {
#pragma HLS UNROLL
            double taken;
            taken = C_pipe_2.read();
            C_pipe_1.write(taken);
        }
    }
}

extern "C" void systolic_kernel(sluice_off_chip<const double> fpga_A, sluice_off_chip<const double> fpga_B, sluice_off_chip<double> fpga_C) {
#pragma HLS INTERFACE m_axi port=fpga_A offset=slave bundle=gmem_fpga_A
#pragma HLS INTERFACE s_axilite port=fpga_A
#pragma HLS INTERFACE m_axi port=fpga_B offset=slave bundle=gmem_fpga_B
#pragma HLS INTERFACE s_axilite port=fpga_B
#pragma HLS INTERFACE m_axi port=fpga_C offset=slave bundle=gmem_fpga_C
#pragma HLS INTERFACE s_axilite port=fpga_C
#pragma HLS INTERFACE s_axilite port=return
#pragma HLS DATAFLOW
    hls::stream<double, 4> A_pipe[3];
#pragma HLS STREAM variable=A_pipe depth=4
    SLUICE_NAMED(A_pipe);
    hls::stream<double, 4> B_pipe[3];
#pragma HLS STREAM variable=B_pipe depth=4
    SLUICE_NAMED(B_pipe);
    hls::stream<double, 4> C_pipe[3];
#pragma HLS STREAM variable=C_pipe depth=4
    SLUICE_NAMED(C_pipe);
    SLUICE_ELEMENTS("systolic_kernel");
    SLUICE_ELEMENT(read_A, fpga_A, A_pipe[0]);
    SLUICE_ELEMENT(read_B, fpga_B, B_pipe[0]);
    SLUICE_ELEMENT(write_C, fpga_C, C_pipe[0]);
    SLUICE_ELEMENT(element_0, A_pipe[0], A_pipe[1], B_pipe[0], B_pipe[1], C_pipe[0], C_pipe[1]);
    SLUICE_ELEMENT(element_1, A_pipe[1], A_pipe[2], B_pipe[1], B_pipe[2], C_pipe[1], C_pipe[2]);
    SLUICE_ELEMENTS_END;
}
