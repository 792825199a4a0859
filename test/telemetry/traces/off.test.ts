import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

test('nothing of OpenTelemetry is loaded where traces are off', async () => {
  const script = new URL('loaded.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  const { endpoint, ...off } = JSON.parse(stdout) as Record<string, string[]>
  expect(off).toEqual({ nothing: [], disabled: [], none: [], refused: [] })
  // The same process loads it as soon as an endpoint is set, without the whole SDK.
  expect(endpoint).toContain('@opentelemetry/sdk-trace')
  expect(endpoint?.filter((name) => /sdk-node|grpc/.test(name))).toEqual([])
})
