import { mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runBench } from './run-bench.ts'
import { drive, openStage, startSubject } from './stage.ts'
import { stopChild } from './children.ts'
const specs = process.argv.slice(2)
await runBench(async () => {
  const stage = await openStage()
  const per: Map<string, number>[] = []
  for (const s of specs) {
    const [root, tel] = [s.slice(0, s.indexOf('=')), s.slice(s.indexOf('=') + 1)]
    process.env['BENCH_TELEMETRY'] = tel || '{}'
    const dir = mkdtempSync('/tmp/prof-')
    const t = await startSubject(stage, 'former', { workloads: ['json'], former: root }, [
      '--cpu-prof',
      `--cpu-prof-dir=${dir}`,
      '--cpu-prof-interval=200',
    ])
    if (typeof t === 'string') throw new Error(t)
    await drive(stage, t, 'json', { connections: 32, warmupMillis: 0, windowMillis: 5000 })
    const from = Number(process.hrtime.bigint() / 1000n)
    const report = await drive(stage, t, 'json', {
      connections: 32,
      warmupMillis: 0,
      windowMillis: 8000,
    })
    const to = Number(process.hrtime.bigint() / 1000n)
    await stopChild(t.child)
    const p = JSON.parse(readFileSync(join(dir, readdirSync(dir)[0]!), 'utf8'))
    const self = new Map<number, number>()
    let at = p.startTime
    for (const [i, id] of p.samples.entries()) {
      at += p.timeDeltas[i]
      if (at >= from && at <= to) self.set(id, (self.get(id) ?? 0) + p.timeDeltas[i])
    }
    const m = new Map<string, number>()
    for (const n of p.nodes) {
      const k = `${n.callFrame.functionName || '(anon)'} ${n.callFrame.url.split('/').slice(-2).join('/')}:${n.callFrame.lineNumber + 1}`
      m.set(k, (m.get(k) ?? 0) + (self.get(n.id) ?? 0) / report.requests)
    }
    console.log(
      s.slice(-60),
      report.requests / 8,
      'req/s',
      (report.subjectMicros / report.requests).toFixed(1),
      'us',
    )
    per.push(m)
  }
  const [a, b] = per as [Map<string, number>, Map<string, number>]
  const rows = [...new Set([...a.keys(), ...b.keys()])].map(
    (k) => [k, (b.get(k) ?? 0) - (a.get(k) ?? 0), a.get(k) ?? 0] as const,
  )
  rows.sort((x, y) => Math.abs(y[1]) - Math.abs(x[1]))
  for (const [k, d, x] of rows.slice(0, 45))
    console.log(d.toFixed(2).padStart(7), x.toFixed(2).padStart(7), k)
})
