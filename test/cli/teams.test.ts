import { expect, test } from 'vitest'

import { openPlace } from './dragoman.ts'

test('a team gets keys, lists them, and is deleted once they are revoked', async () => {
  await using place = await openPlace()
  await place.write(
    'dragoman.config.json',
    JSON.stringify({ teams: [{ id: 'fixed', models: ['gpt-*', 'o9'] }] }),
  )
  const created = await place.call('teams create research --models gpt-*')
  expect(created).toMatchObject({ code: 0, stdout: '' })
  expect(created.stderr).toContain('The team "research" is created.')
  const listed = await place.call('teams list')
  expect(listed.stdout).toMatch(
    /^ID .*\nfixed +gpt-\*,o9 +configuration\nresearch +gpt-\* +store\n$/,
  )

  const labels = '--labels department=research,app=chat'
  const issued = await place.call(`keys create bot --team research ${labels} --json`)
  expect(JSON.parse(issued.stdout)).toMatchObject({
    id: 'bot',
    team: 'research',
    labels: { department: 'research', app: 'chat' },
  })
  await place.call('keys create other --team fixed')
  const ofTeam = await place.call('keys list --team research --json')
  expect(JSON.parse(ofTeam.stdout)).toMatchObject([{ id: 'bot', team: 'research' }])
  expect((await place.call('keys list')).stdout).toMatch(/^other +active +fixed +all/m)

  const refused = await place.call('teams delete research')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('has keys: bot') })
  await place.call('keys revoke bot')
  expect(await place.call('teams delete research')).toMatchObject({ code: 0 })
  const fixed = await place.call('teams delete fixed')
  expect(fixed).toMatchObject({ code: 1, stderr: expect.stringContaining('teams[0]') })
})

test('a key with an unknown team, labels without values and an unknown team are refused', async () => {
  await using place = await openPlace()
  const unknown = await place.call('keys create bot --team nothing')
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"nothing" is no team'),
  })
  const labels = await place.call('keys create bot --labels chat')
  expect(labels).toMatchObject({ code: 2, stderr: expect.stringContaining('--labels takes') })
  const missing = await place.call('teams delete nothing')
  expect(missing.stderr).toContain('teams list` shows all')
})

test('prices are listed with their origin, and the models without one', async () => {
  await using place = await openPlace()
  const models = ['gpt-4.1', 'own']
  await place.write(
    'dragoman.config.json',
    JSON.stringify({
      accounts: [{ id: 'up', provider: 'openai', apiKey: 'x', models }],
      prices: { other: { rates: { input: '1', output: 2 } } },
    }),
  )
  const listed = await place.call('prices list')
  expect(listed.stdout).toMatch(/^gpt-4\.1 +2 +8 +0\.5 +openai +published +20\d\d-\d\d-\d\d$/m)
  expect(listed.stdout).toMatch(/^other +1 +2 +all accounts +configuration$/m)
  const unpriced = await place.call('prices list --unpriced --json')
  expect(JSON.parse(unpriced.stdout)).toEqual([{ model: 'own', of: 'openai', from: 'none' }])
})
