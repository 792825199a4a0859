import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { type Checkout, openCheckout, printed } from './checkout.ts'
import { blocks, commands, repository, shownAddress } from './readme.ts'

/** Serves as a newcomer does, and returns what that newcomer reads off the screen. */
async function serveFirstTime(checkout: Checkout) {
  const [command = ''] = commands('npm ci && npm start')
  // The installation is CI's part: it takes the network and a minute.
  const server = checkout.start(command.replace('npm ci && ', ''))
  const [, url = ''] = await printed(server, /Listening on (http:\S+) \(API\)/)
  const [, key = ''] = await printed(server, /export DRAGOMAN_KEY=(\S+)/)
  await printed(server, /# Uploads[^]*\n\n/)
  return { url, key, screen: server.output.text }
}

test('a newcomer starts the gateway and pastes every curl, of the README and of the screen', async () => {
  await using checkout = await openCheckout()
  const { url, key, screen } = await serveFirstTime(checkout)
  const pasted = commands('curl').filter((command) => command.includes('$DRAGOMAN_KEY'))
  const fromReadme = pasted.map((command) => command.replaceAll(shownAddress, url))
  const fromScreen = [...screen.matchAll(/^curl[^]*?[^\\]$/gm)].map(([command]) => command)
  expect([fromReadme.length, fromScreen.length]).toEqual([8, 12])
  const paste = (command: string) =>
    checkout.run(command.replace(/^curl/, 'curl -sS --fail-with-body'), { DRAGOMAN_KEY: key })
  const [image, video, operation, upload] = fromScreen.splice(8)
  expect(await paste(image ?? '')).toContain('"b64_json"')
  expect(await paste(video ?? '')).toContain('"object":"video"')
  expect(await paste(operation ?? '')).toContain('/operations/')
  expect(await paste(upload ?? '')).toContain('"upload_url"')
  for (const command of [...fromReadme, ...fromScreen]) {
    const answer = await paste(command)
    expect(answer, command).toContain('Hello')
    expect(answer.includes('data: {'), command).toBe(command.includes('curl -N'))
  }
})

test('the official SDKs run as the README shows them', async () => {
  await using checkout = await openCheckout()
  const { url, key } = await serveFirstTime(checkout)
  const packages = {
    openai: 'openai-7',
    '@anthropic-ai/sdk': 'anthropic-1',
    '@google/genai': 'genai-3',
  }
  const snippets = blocks('js')
  expect(snippets).toHaveLength(4)
  for (const [index, snippet] of snippets.entries()) {
    let code = snippet.replaceAll(shownAddress, url)
    for (const [name, alias] of Object.entries(packages)) {
      code = code.replace(`from '${name}'`, `from '${alias}'`)
    }
    await checkout.write(`snippet-${index}.mjs`, code)
    const output = await checkout.run(`node_modules/.bin/node snippet-${index}.mjs`, {
      DRAGOMAN_KEY: key,
    })
    expect(output, snippet).toContain('You said: Hello')
  }
})

test('the configuration that the README shows is in order, and serves', async () => {
  await using checkout = await openCheckout()
  const secrets = { TEAM_A_KEY: 'team-a-secret', OPENAI_API_KEY: 'sk-1', ANTHROPIC_API_KEY: 'sk-2' }
  await checkout.write('dragoman.config.ts', blocks('ts')[0] ?? '')
  const [check = ''] = commands('npm start -- check')
  const report = await checkout.run(check, secrets)
  expect(report).toMatch(/responses\.create +\/v1\/responses/)
  expect(report).not.toMatch(/sk-1|sk-2|team-a-secret/)
  const [serve = ''] = commands('npm start -- --config')
  const server = checkout.start(serve, secrets)
  const [, url = ''] = await printed(server, /Listening on (http:\S+) \(API\)/)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const models = await fetch(`${url}/v1/models`, {
    headers: { authorization: `Bearer ${secrets.TEAM_A_KEY}` },
  })
  expect(await models.json()).toMatchObject({ data: [{ id: 'fast' }] })
})

test('keys are issued, listed, rotated and revoked by the commands of the README', async () => {
  await using checkout = await openCheckout()
  const [create = '', list = '', rotate = '', revoke = ''] = commands('npm start -- keys')
  const first = /dgm_\S+/.exec(await checkout.run(create))?.[0]
  expect(await checkout.run(list)).toMatch(/team-b/)
  const second = /dgm_\S+/.exec(await checkout.run(rotate))?.[0]
  expect(first).toBeTruthy()
  const silent = create.replace('npm start', 'npm start --silent').replace('team-b', 'team-c')
  expect(await checkout.run(`${silent} 2>/dev/null`)).toMatch(/^dgm_\S+\n$/)
  expect(second).not.toBe(first)
  await checkout.run(revoke)
  expect(await checkout.run(list)).toMatch(/team-b.*(revoked|disabled)/)
})

test('the sandbox starts by the command of the README', async () => {
  await using checkout = await openCheckout()
  const [command = ''] = commands('npm start -- sandbox')
  const sandbox = checkout.start(command.replace('8790', '0'))
  const [, url = ''] = await printed(sandbox, /listens on (http:[^\s;]+)/)
  expect(await (await fetch(url)).text()).toMatch(/cut +=N/)
})

test('the plugin of the README answers a repeated question itself', async () => {
  await using checkout = await openCheckout()
  await using sandbox = await startSandbox()
  const config = (blocks('ts').find((code) => code.includes('answer-cache')) ?? '')
    .replace("provider: 'openai'", `provider: 'sandbox', baseUrl: '${sandbox.url}'`)
    .replace(
      'accounts:',
      "keys: [{ id: 'me', secret: 'my-secret' }],\n  store: 'memory:',\n  accounts:",
    )
  await checkout.write('dragoman.config.ts', config)
  const server = checkout.start('npm start', { OPENAI_API_KEY: 'sandbox-key-a' })
  const [, url = ''] = await printed(server, /Listening on (http:\S+) \(API\)/)
  const ask = () =>
    fetch(`${url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: 'Bearer my-secret' },
      body: JSON.stringify({ model: 'gpt-5', input: 'Hello' }),
    })
  const [first, second] = [await ask(), await ask()]
  expect(first.headers.get('x-answer-cache')).toBeNull()
  expect(second.headers.get('x-answer-cache')).toBe('hit')
  expect(await second.json()).toEqual(await first.json())
  expect(sandbox.requests).toHaveLength(1)
})

test('every command of the README is run: here, or by CI on a fresh clone', () => {
  const here = ['curl', 'npm start --']
  const elsewhere = blocks('sh').filter((command) => !here.some((one) => command.startsWith(one)))
  expect(elsewhere).toEqual(['npm ci && npm start', 'npm ci && npm test'])
  const ci = readFileSync(join(repository, '.ci/run'), 'utf8')
  expect(ci).toMatch(/^npm ci$/m)
  expect(ci).toMatch(/^npm test$/m)
})
