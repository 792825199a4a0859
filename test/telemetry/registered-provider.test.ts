import { join } from 'node:path'

import { expect, test } from 'vitest'

import { addressesOf, withoutAdmin, openPlace } from '../cli/dragoman.ts'

const hook = join(import.meta.dirname, 'register-provider.ts')

test('a provider that the process has registered is flushed at the end of the gateway', async () => {
  await using place = await openPlace()
  const config = { store: 'memory:', telemetry: { traces: true } }
  await place.write('dragoman.config.json', JSON.stringify(config))
  const server = place.start(withoutAdmin, { NODE_OPTIONS: `--import ${hook}` })
  const { clients } = await addressesOf(server)
  const reply = await fetch(`${clients}/v1/models`)
  await reply.text()
  server.child.kill('SIGTERM')
  const { stdout, stderr } = await server.ended
  expect(stderr).toContain('spans flushed')
  expect(stdout + stderr).not.toContain('could not be exported')
})
