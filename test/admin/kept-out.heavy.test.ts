import { expect, test, vi } from 'vitest'

import { openPlace } from '../cli/dragoman.ts'
import { key, startUpstream, call, askApi, agreement, start } from './kept-out.ts'

vi.setConfig({ testTimeout: 120_000 })

test('two workers: API, readiness and command line say the same of 401, pause and circuit', async () => {
  const { upstream, accounts } = await startUpstream()
  await using _upstream = upstream
  await using folder = await openPlace()
  const config = { keys: [{ id: 'team', secret: key }], accounts, store: 'file:store' }
  const asked = await start(folder, config, ' --workers 2')
  await call(asked, 'refused')
  await call(asked, 'cooling')
  for (let calls = 0; calls < 12; calls++) await call(asked, 'failing')
  const said = await agreement(asked, 3)
  const kinds = new Set(said.map((line) => (JSON.parse(line) as string[]).slice(0, 2).join(' ')))
  expect([...kinds].toSorted()).toEqual(['cooling cooling', 'failing circuit', 'refused refused'])
  expect(said.join()).toContain('401')
  const states = async () => {
    const { edges } = (await askApi(asked)).data.accounts
    return edges.map(({ node }) => [node.id, node.state, node.serves])
  }
  // Whichever worker answers.
  for (let times = 0; times < 8; times++) {
    expect(await states()).toEqual([
      ['cooling', 'COOLING', 'NOTHING'],
      // Of the only key that calls: it may be to blame.
      ['failing', 'ENABLED', 'SOME'],
      ['refused', 'REFUSED', 'NOTHING'],
    ])
  }
})
