import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { test, vi } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { until } from '../../src/testing/until.ts'
import { addressesOf, anyPorts, type Launch, main, type Place, type Running } from './dragoman.ts'
import { config, placeWith, ask } from './first-admin-token.ts'

// Each of these starts processes, and all of them at once.
vi.setConfig({ testTimeout: 90_000 })

/** A program at a terminal: `script` gives it one, and ends with it. */
const atTerminal: Launch = (words) => {
  const command = [process.execPath, main, ...words.split(' ')].join(' ')
  return { file: 'script', words: ['-qefc', `exec ${command} 2>&1 >/dev/null`, '/dev/null'] }
}

const noToken =
  /No admin token is valid, .*: set DRAGOMAN_ADMIN_TOKEN, or create a token with `(.*)`/

test.concurrent('a first start at a terminal shows an admin token once, which works and is audited', async ({
  expect,
}) => {
  await using place = await placeWith()
  const server = place.start(anyPorts, {}, atTerminal)
  const shown = async (pattern: RegExp) => {
    await until(() => pattern.test(server.output.stdout))
    return pattern.exec(server.output.stdout)?.[1] ?? ''
  }
  const operators = await shown(/ and (http:\S+) \(admin\)/)
  const secret = await shown(/^ {2}(dga_[\w-]{43})\r?\n/m)
  expect(await ask(operators, secret)).toEqual({ viewer: { id: 'bootstrap', role: 'ADMIN' } })
  const audit = '{ audit { edges { node { action result actor { kind id } target { id } } } } }'
  expect(await ask(operators, secret, audit)).toEqual({
    audit: {
      edges: [
        {
          node: {
            action: 'admin-token.create',
            result: 'DONE',
            actor: { kind: 'PROCESS', id: 'gateway' },
            target: { id: 'bootstrap' },
          },
        },
      ],
    },
  })
  // `script` passes this on; killed by force, it would leave the gateway behind.
  server.child.kill('SIGTERM')
  await server.ended

  const second = place.start(anyPorts)
  const again = await addressesOf(second)
  expect(await ask(again.operators, secret)).toEqual({ viewer: { id: 'bootstrap', role: 'ADMIN' } })
  await place.call('admin-tokens revoke bootstrap')
  await until(async () => (await ask(again.operators, secret)) === 401)
  second.child.kill('SIGTERM')
  expect((await second.ended).stderr).not.toContain('dga_')

  const third = place.start(anyPorts)
  await third.said(noToken)
  expect(third.output.stderr).not.toContain('dga_')
})

test.concurrent.for(dailyRows(['', '--workers 2']))(
  'off a terminal, where logs keep output, no token is printed (%s)',
  async (words, { expect }) => {
    await using place = await placeWith()
    const server = place.start(`${anyPorts} ${words}`)
    const { operators } = await addressesOf(server)
    const [, command = ''] = await server.said(noToken)
    expect(JSON.parse((await place.call('admin-tokens list --json')).stdout)).toEqual([])
    const { stdout } = await place.call(command.replace('npm start -- ', ''))
    // New connections reach both workers, one after the other.
    await until(async () => {
      const answers = Array.from({ length: 8 }, () => ask(operators, stdout.trim()))
      return (await Promise.all(answers)).every((answer) => typeof answer === 'object')
    })
    server.child.kill('SIGTERM')
    expect((await server.ended).stderr).not.toContain('dga_')
  },
)

test.concurrent('with a token in the environment or the configuration, none is created', async ({
  expect,
}) => {
  const secret = 'x'.repeat(32)
  const tokens = [{ id: 'ops', secret: 'env:OPS', role: 'viewer' }]
  await using place = await placeWith()
  await using other = await placeWith({ admin: { tokens } })
  const servers = [
    [place.start(anyPorts, { DRAGOMAN_ADMIN_TOKEN: secret }), 'environment', 'admin'],
    [other.start(anyPorts, { OPS: secret }), 'ops', 'viewer'],
  ] as const
  for (const [server, id, role] of servers) {
    const { operators } = await addressesOf(server)
    expect(await ask(operators, secret)).toEqual({ viewer: { id, role: role.toUpperCase() } })
    server.child.kill('SIGTERM')
    expect((await server.ended).stderr).not.toContain('dga_')
  }
})

test.concurrent('a token that can be guessed stops the start', async ({ expect }) => {
  await using place = await placeWith()
  const { code, stderr } = await place.call(anyPorts, { DRAGOMAN_ADMIN_TOKEN: 'canary'.repeat(5) })
  expect(code).toBe(3)
  expect(stderr).toMatch(/DRAGOMAN_ADMIN_TOKEN\n +has 30 characters, .* at least 32\n +fix: /)
  expect(stderr).not.toContain('canary')
})

test.concurrent('an admin address that others can reach wants a token first', async ({
  expect,
}) => {
  await using place = await placeWith()
  for (const words of [`${anyPorts} --admin-host 0.0.0.0`, 'check --admin-host 0.0.0.0']) {
    const refused = await place.call(words)
    expect(refused.code).toBe(3)
    expect(refused.stderr).toMatch(
      /admin\.host\n.*no admin token exists\n.*DRAGOMAN_ADMIN_TOKEN.*dragoman admin-tokens create/,
    )
  }
  expect((await place.call('admin-tokens list --json')).stdout).toBe('[]\n')
  await place.call('admin-tokens create ops')
  const { operators } = await addressesOf(place.start(`${anyPorts} --admin-host 0.0.0.0`))
  expect(operators).toMatch(/^http:\/\/0\.0\.0\.0:/)
})

test.concurrent('a reload changes the configured tokens within two seconds', async ({ expect }) => {
  const tokensOf = (secret: string) => ({ tokens: [{ id: 'ops', secret, role: 'viewer' }] })
  await using place = await placeWith({ admin: tokensOf('the-former-secret-of-an-operator-0') })
  const server = place.start(anyPorts)
  const { operators } = await addressesOf(server)
  const viewer = { viewer: { id: 'ops', role: 'VIEWER' } }
  expect(await ask(operators, 'the-former-secret-of-an-operator-0')).toEqual(viewer)
  const changed = JSON.stringify({
    ...config,
    admin: tokensOf('the-later-secret-of-an-operator-00'),
  })
  await place.write('dragoman.config.json', changed)
  await server.said(/"admin_tokens_changed":\["ops"\]/)
  await expect
    .poll(() => ask(operators, 'the-later-secret-of-an-operator-00'), { timeout: 4000 })
    .toEqual(viewer)
  expect(await ask(operators, 'the-former-secret-of-an-operator-0')).toBe(401)
  expect(server.output.stderr).not.toMatch(/after a restart|the-\w+-secret/)
})

/** Writes the addresses of all modules that a process loads into a file. */
const spy = `import { registerHooks } from 'node:module'
import { appendFileSync } from 'node:fs'
registerHooks({
  load(url, context, next) {
    appendFileSync('loaded', url + '\\n')
    return next(url, context)
  },
})`

async function startSpied(place: Place, words: string, env?: Record<string, string>) {
  await place.write('spy.mjs', spy)
  const server = place.start(`${anyPorts} ${words}`, {
    NODE_OPTIONS: `--import ${join(place.path, 'spy.mjs')}`,
    ...env,
  })
  const [, api = ''] = await server.said(/Listening on (http:\S+) \(API\)/)
  const loaded = async () => (await readFile(join(place.path, 'loaded'), 'utf8')).split('\n')
  const ofAdmin = (await loaded()).filter((url) => /src\/admin\/|graphql|pothos/.test(url))
  return { server, api, ofAdmin, loaded }
}

test.concurrent('where it is off, nothing of the admin API listens or is loaded', async ({
  expect,
}) => {
  await using place = await placeWith({ admin: false })
  const off = await startSpied(place, '')
  expect(off.ofAdmin).toEqual([])
  expect(off.server.output.stderr).toContain('(API); the admin API is off.')
  expect(off.server.output.stderr).not.toContain('dga_')
  expect((await fetch(`${off.api}/readyz`)).status).toBe(200)
  expect((await fetch(`${off.api}/graphql`, { method: 'POST' })).status).toBe(404)
  expect(await portsOf(off.server)).toHaveLength(1)

  await using other = await placeWith()
  const ways = [
    ['', { DRAGOMAN_ADMIN: 'off' }],
    ['--admin off', {}],
  ] as const
  for (const [words, env] of dailyRows(ways)) {
    const { server, ofAdmin } = await startSpied(other, words, env)
    expect([ofAdmin, await portsOf(server)]).toEqual([[], [expect.any(String)]])
  }
  // What is loaded where the API is on shows that the spy sees it.
  const on = await startSpied(other, '--admin on', { DRAGOMAN_ADMIN: 'off' })
  expect(on.ofAdmin).toContainEqual(expect.stringContaining('src/admin/server.ts'))
  expect(await portsOf(on.server)).toHaveLength(2)
  // The schema takes a third of the memory of a start, and waits for the first operation of an operator.
  const isSchema = (url: string) => /@pothos|graphql-yoga|admin\/schema/.test(url)
  expect(on.ofAdmin.filter(isSchema)).toEqual([])
  const { operators } = await addressesOf(on.server)
  const token = (await other.call('admin-tokens create ops')).stdout.trim()
  expect((await fetch(`${operators}/livez`)).status).toBe(200)
  expect(await ask(operators, 'wrong')).toBe(401)
  expect((await on.loaded()).filter(isSchema)).toEqual([])
  expect(await ask(operators, token)).toEqual({ viewer: { id: 'ops', role: 'ADMIN' } })
  expect((await on.loaded()).filter(isSchema)).not.toEqual([])
})

/** The sockets of a process that listen for TCP. */
async function portsOf({ child: { pid } }: Running): Promise<string[]> {
  const listening = (await readFile(`/proc/${pid}/net/tcp`, 'utf8'))
    .split('\n')
    .filter((line) => / 0A /.test(line))
  const { readdir, readlink } = await import('node:fs/promises')
  const links = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((fd) =>
      readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''),
    ),
  )
  const own = links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [])
  return own.filter((inode) => listening.some((line) => line.includes(` ${inode} `)))
}
