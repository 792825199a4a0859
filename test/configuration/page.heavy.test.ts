import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { addressesOf, openPlace, statusWithKey } from '../cli/dragoman.ts'
import { blocksOf, examples, secrets } from './page.ts'

test('the commands check the example and serve it', async () => {
  await using place = await openPlace()
  for (const { name, text } of examples) await place.write(name, text)
  const [check = '', serve = '', ...others] = blocksOf('sh').map((command) => command.trim())
  expect(others).toEqual([])
  const words = (command: string) => command.replace(/^npm start -- /, '')

  for (const { name } of examples) {
    const command = words(check).replace('dragoman.config.ts', name)
    // Only a process of its own reads modules as Node does.
    const execute = name.endsWith('.ts') ? place.run : place.call
    const { code, stdout, stderr } = await execute(command, secrets)
    expect([code, stderr]).toEqual([0, expect.stringMatching(/no problems/i)])
    expect(stdout).toMatch(/^Summary/m)
    expect(stdout + stderr).not.toMatch(/sk-1|sk-2|team-a-secret/)
  }

  const anyPort = { DRAGOMAN_PORT: '0', DRAGOMAN_ADMIN_PORT: '0' }
  const { clients } = await addressesOf(place.start(words(serve), { ...secrets, ...anyPort }))
  await until(async () => (await statusWithKey(clients, secrets.TEAM_A_KEY)) === 200)
})
