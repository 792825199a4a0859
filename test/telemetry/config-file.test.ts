import { join } from 'node:path'

import { expect, test } from 'vitest'

import { addressesOf, withoutAdmin, openPlace } from '../cli/dragoman.ts'

const hook = join(import.meta.dirname, 'packages/register.ts')

test.each([
  ['only ends', 'false', 'spans sent'],
  ['registers one that flushes', 'true', 'spans flushed'],
])(
  'the SDK of OTEL_CONFIG_FILE whose provider %s has its time at the end',
  async (_, registers, said) => {
    await using place = await openPlace()
    await place.write(
      'dragoman.config.json',
      JSON.stringify({ store: 'memory:', telemetry: { traces: true } }),
    )
    const server = place.start(withoutAdmin, {
      OTEL_CONFIG_FILE: 'otel.yaml',
      NODE_OPTIONS: `--import ${hook}`,
      TEST_REGISTERS: registers,
    })
    const { clients } = await addressesOf(server)
    // Its connection stays open, which holds the end up for a second.
    const reply = await fetch(`${clients}/livez`)
    await reply.text()
    server.child.kill('SIGTERM')
    const { stdout, stderr } = await server.ended
    expect(stderr).toContain(said)
    expect(stdout + stderr).not.toContain('could not be exported')
  },
)
