/**
 * A process with nothing to do, measured beside those that serve: its delay is what the machine adds
 * to everybody's. Arguments: port of the gauges.
 */

import { startGauge } from './workers-gauge.ts'

startGauge('idle process', Number(process.argv[2]))
