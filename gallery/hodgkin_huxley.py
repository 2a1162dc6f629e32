"""Neuroscience: spikes of many neurons by the Hodgkin-Huxley equations.

A. L. Hodgkin and A. F. Huxley, A quantitative description of membrane current, 1952; fourth-order Runge-Kutta, one column a neuron.
"""
import numpy as np

import sluice


def derivative(state, current):
    v, m, h, n = state
    alpha_m = 0.1 * (v + 40) / (1 - np.exp(-(v + 40) / 10))
    beta_m = 4 * np.exp(-(v + 65) / 18)
    alpha_h = 0.07 * np.exp(-(v + 65) / 20)
    beta_h = 1 / (1 + np.exp(-(v + 35) / 10))
    alpha_n = 0.01 * (v + 55) / (1 - np.exp(-(v + 55) / 10))
    beta_n = 0.125 * np.exp(-(v + 65) / 80)
    ionic = 120 * m ** 3 * h * (v - 50) + 36 * n ** 4 * (v + 77) + 0.3 * (v + 54.387)
    return np.stack([current - ionic, alpha_m * (1 - m) - beta_m * m, alpha_h * (1 - h) - beta_h * h, alpha_n * (1 - n) - beta_n * n])


@sluice.program
def hodgkin_huxley(state, current, dt, steps):
    voltage = np.zeros((steps, state.shape[1]))
    for step in range(steps):
        k1 = derivative(state, current)
        k2 = derivative(state + dt / 2 * k1, current)
        k3 = derivative(state + dt / 2 * k2, current)
        k4 = derivative(state + dt * k3, current)
        state = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        voltage[step] = state[0]
    return voltage


def inputs(size):
    neurons, steps = {"small": (4, 10), "large": (200, 1000)}[size]
    state = np.repeat(np.array([[-64.5], [0.053], [0.596], [0.317]]), neurons, axis=1)
    return {"state": state, "current": np.linspace(0, 15, neurons), "dt": 0.025, "steps": steps}


def picture(inputs, result):
    time = inputs["dt"] * np.arange(len(result))
    return {f"{inputs['current'][i]:.1f} uA/cm2": (time, result[:, i]) for i in (0, result.shape[1] // 2, -1)}
