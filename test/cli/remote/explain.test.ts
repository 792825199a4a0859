import { expect, test } from 'vitest'

import { dataOf, openDesk, respond, sandboxAccount } from './desk.ts'

const accounts = [
  sandboxAccount('native', { models: ['sandbox/*'], weight: 3 }),
  sandboxAccount('chat', { models: ['sandbox/*'], speaks: ['chat'] }),
  sandboxAccount('off', { enabled: false }),
]

test('a request is explained alike by the gateway and from its configuration and store', async () => {
  await using desk = await openDesk(accounts)
  await desk.place.write('body.json', '{"input":"hello","seed":7,"model":"sandbox/echo"}')
  await desk.place.write('bare.json', '{"input":"hello"}')
  const { id } = await respond(desk)
  const asked = [
    '--key test --body bare.json --model sandbox/echo',
    `--key test --body bare.json --model sandbox/echo --previous ${id}`,
    '--key test --body body.json --previous resp_unknown',
    '--key test --model sandbox/echo',
    '--key test --dialect messages --body body.json',
    `--key test --model sandbox/echo --previous ${id}`,
    '--key test --model sandbox/echo --previous resp_unknown',
    '--key test --model unheard-of',
    '--key test --dialect messages --operation messages.count_tokens --model sandbox/echo',
  ]
  for (const words of asked) {
    const remote = await desk.remote(`explain --json ${words}`, 'viewer')
    const local = await desk.local(`explain --json ${words}`)
    const { processId, ...rest } = dataOf(remote) as { processId: string }
    expect(processId).toBe(desk.gateway.services.processes.id)
    expect(dataOf(local), words).toEqual({ ...rest, processId: null })
    expect(local.stderr).toContain('circuits of running gateways are not known here')
    expect(remote.stderr).toBe('')
  }
  const answers = asked.slice(0, 3).map(async (words) => {
    const { answer, pinned } = dataOf(await desk.remote(`explain --json ${words}`)) as {
      answer: { code: string } | null
      pinned: boolean
    }
    return [answer?.code, pinned]
  })
  expect(await Promise.all(answers)).toEqual([
    [undefined, false],
    [undefined, true],
    ['previous_response_not_found', expect.any(Boolean)],
  ])
})

test('people read why an account is chosen and the others are not', async () => {
  await using desk = await openDesk(accounts)
  for (const ask of [desk.remote, desk.local]) {
    const { stdout } = await ask('explain --key test --model sandbox/echo')
    expect(stdout).toMatch(/^Operation: responses\.create$/m)
    expect(stdout).toMatch(/^Model: sandbox\/echo$/m)
    expect(stdout).toMatch(/^ACCOUNT +VERDICT +CHANCE +DIALECT +MODEL +WHY$/m)
    expect(stdout).toMatch(/^native +chosen +100% +responses +sandbox\/echo$/m)
    expect(stdout).toMatch(/^chat +candidate +0% +chat \(translated\)/m)
    expect(stdout).toMatch(/^off +excluded +operator: it is disabled$/m)
    const refused = await ask('explain --key test --model unheard-of')
    expect(refused.stdout).toMatch(/^The gateway itself answers 404 model_not_found: /m)
  }
})

test('a limit that would refuse the request is named', async () => {
  await using desk = await openDesk(accounts)
  const words = 'limits set key:test --kind requests --amount 0 --window day --reason why'
  expect((await desk.remote(words)).code).toBe(0)
  for (const ask of [desk.remote, desk.local]) {
    const { stdout } = await ask('explain --key test --model sandbox/echo')
    expect(stdout).toMatch(
      /^The gateway itself answers 402 budget_exceeded: .* 0 requests per day/m,
    )
  }
})

test('what cannot be explained is said', async () => {
  await using desk = await openDesk(accounts)
  for (const ask of [desk.remote, desk.local]) {
    for (const [words, code, said] of [
      ['explain --key nobody --model m', 1, 'There is no key `nobody`: `keys list` shows all.'],
      ['explain --key test --model m --dialect respones', 1, 'Did you mean `responses`?'],
      ['explain --key test --body missing.json', 1, 'cannot be read'],
      ['explain --key test', 2, 'Which request?'],
      ['explain --model m', 2, 'Whose request?'],
    ] as const) {
      const failed = await ask(words)
      expect(failed).toMatchObject({ code, stdout: '' })
      expect(failed.stderr).toContain(said)
    }
  }
  await desk.place.write('dragoman.config.json', '{"accounts":[{"id":"x","provider":"openai"}]}')
  expect((await desk.local('explain --key test --model m')).code).toBe(3)
})

test('nothing is explained from a store that does not answer: accounts could be missing', async () => {
  await using desk = await openDesk(accounts)
  const { default: config } = (await import(`${desk.place.path}/dragoman.config.json`, {
    with: { type: 'json' },
  })) as { default: object }
  const away = { ...config, store: 'redis://127.0.0.1:1' }
  await desk.place.write('away.config.json', JSON.stringify(away))
  const failed = await desk.place.run('explain --config away.config.json --key test --model new')
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr).toContain('The store does not answer')
}, 60_000)

test('no plugin starts where its configuration is only explained', async () => {
  await using desk = await openDesk(accounts)
  await desk.place.write(
    'plugin.config.mjs',
    `import { writeFileSync } from 'node:fs'
    export default {
      store: 'memory:',
      keys: [{ id: 'test', secret: 'test-secret' }],
      plugins: [{ name: 'witness', onStart() { writeFileSync('started', 'yes') } }],
    }`,
  )
  const explained = await desk.place.run(
    'explain --config plugin.config.mjs --key test --model m --json',
  )
  expect(dataOf(explained)).toMatchObject({ answer: { code: 'model_not_found' } })
  const { readdir } = await import('node:fs/promises')
  expect(await readdir(desk.place.path)).not.toContain('started')
})
