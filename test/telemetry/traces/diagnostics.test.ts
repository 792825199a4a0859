import { diag } from '@opentelemetry/api'
import { expect, test } from 'vitest'

import { createLog } from '../../../src/lib/log.ts'
import { logDiagnostics } from '../../../src/telemetry/traces/sdk/diagnostics.ts'

test('what the SDK says is a sentence in the log, without its stack and without addresses', () => {
  const written: Record<string, unknown>[] = []
  const end = logDiagnostics(
    createLog({ write: (line) => void written.push(JSON.parse(line) as Record<string, unknown>) }),
    undefined,
  )
  // As its global error handler does, whose messages are errors in JSON.
  const fault = {
    stack: 'Error: x\n    at y (node:net:1:2)',
    message: 'connect ECONNREFUSED',
    errno: '-111',
  }
  diag.error(JSON.stringify(fault))
  diag.error('exports to http://user:hush@collector:4318 fail')
  diag.warn('{"no": "error"}')
  end()
  expect(written.map(({ message }) => message)).toEqual([
    'connect ECONNREFUSED',
    'exports to [url] fail',
    '{"no": "error"}',
  ])
})
