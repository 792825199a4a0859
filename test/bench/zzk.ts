import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './children.ts'
import { runBench } from './run-bench.ts'
import { clientKey } from './subjects/subject.ts'
import { driveLoad } from './drivers.ts'
import { requestBytes } from './request.ts'
import { openStage } from './stage.ts'
const [root, tel, out, ...flags] = process.argv.slice(2) as [string, string, string]
await runBench(async () => {
  const stage = await openStage()
  const port = await freePort()
  const child = spawn(
    'taskset',
    [
      '-c',
      '0',
      process.execPath,
      ...flags,
      join(root, 'src/cli/main.ts'),
      'serve',
      '--config',
      join(root, 'test/bench/gateway.config.ts'),
    ],
    {
      stdio: ['ignore', openSync(out, 'w'), 'inherit'],
      env: {
        ...process.env,
        BENCH_PORT: String(port),
        BENCH_ADMIN_PORT: String(await freePort()),
        BENCH_UPSTREAM_PORT: String(stage.direct.port),
        BENCH_KEY: clientKey,
        BENCH_TELEMETRY: tel,
      },
    },
  )
  await new Promise((r) => setTimeout(r, 4000))
  for (let k = 0; k < 10; k++) {
    const r = await driveLoad(stage.load, {
      port,
      request: requestBytes(port, 'json', {}).toString('latin1'),
      connections: 32,
      warmupMillis: 0,
      windowMillis: k === 9 ? 10000 : 1000,
      subjectPid: child.pid!,
      upstreamPid: stage.direct.pid,
    })
    await new Promise((r) => setTimeout(r, 2500))
    console.log(k, r.requests, (r.subjectMicros / r.requests).toFixed(1))
  }
  child.kill('SIGKILL')
})
