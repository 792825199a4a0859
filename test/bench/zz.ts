import { median } from './median.ts'
import { ratioOf } from './ratio.ts'
import { printLine, runBench } from './run-bench.ts'
import { type Sample, sampleOf } from './sample.ts'
import { drive, openStage, startSubject, type Target } from './stage.ts'
// node zz.ts processes rounds root=telemetry ...
const [n, r, ...specs] = process.argv.slice(2)
await runBench(async () => {
  const stage = await openStage()
  const samples: Sample[][] = specs.map(() => [])
  for (let p = 0; p < Number(n); p++) {
    const targets: Target[] = []
    for (const s of specs) {
      const [root, tel] = [s.slice(0, s.indexOf('=')), s.slice(s.indexOf('=') + 1)]
      process.env['BENCH_TELEMETRY'] = tel || '{}'
      const t = await startSubject(stage, 'former', { workloads: ['json'], former: root })
      if (typeof t === 'string') throw new Error(t)
      targets.push(t)
    }
    for (const t of targets)
      await drive(stage, t, 'json', { connections: 32, warmupMillis: 0, windowMillis: 8000 })
    for (let k = 0; k < Number(r); k++)
      for (const [at, t] of targets.entries())
        samples[at]!.push(
          sampleOf(
            await drive(stage, t, 'json', {
              connections: 32,
              warmupMillis: 250,
              windowMillis: 1000,
            }),
          ),
        )
    const { stopChild } = await import('./children.ts')
    await Promise.all(targets.map(({ child }) => stopChild(child)))
  }
  for (const [at, s] of specs.entries()) {
    const x = ratioOf(samples[at]!, samples[0]!)
    printLine(
      `${median(samples[at]!.map((y) => y.requestsPerSecond)).toFixed(0)} ${median(samples[at]!.map((y) => y.cpuMicros)).toFixed(1)}us x${x?.requests.toFixed(3)} cpu ${x?.cpu.toFixed(3)}  ${s.slice(-60)}`,
    )
  }
})
