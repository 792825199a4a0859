import { parentPort, workerData } from 'node:worker_threads'

import { runSeries, type SeriesOptions } from './series.ts'
import { printed, shrink } from './shrink.ts'

/** What a worker is given. */
export interface Work {
  readonly series: Omit<SeriesOptions, 'onCase'>
  /** Where it writes the number of the case that it is at. */
  readonly at: Int32Array
}

const { series, at } = workerData as Work

const failures = await runSeries({
  ...series,
  onCase: (number) => void Atomics.store(at, 0, number),
})
const told: string[] = []
for (const { one, complaints } of failures) {
  told.push([...complaints, printed(await shrink(one), series.seed)].join('\n'))
}
parentPort?.postMessage(told)
