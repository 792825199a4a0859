import { execFile } from 'node:child_process'
import { connect, createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { addressesOf, anyPorts, openPlace, statusWithKey, withoutAdmin } from './dragoman.ts'

test.concurrent('a first run needs nothing, and what it prints works when it is pasted', async ({
  expect,
}) => {
  await using place = await openPlace()
  const server = place.start(anyPorts)
  const { clients, operators } = await addressesOf(server)
  const [, secret = ''] = await server.said(/export DRAGOMAN_KEY=(dgm_\S+)\n/)
  await server.said(/# Uploads\n.+\\\n.+\n/)
  const commands = server.output.stderr.match(/^curl .*\\\n.*$/gm) ?? []
  expect(commands).toHaveLength(12)
  const replies = await Promise.all(commands.map((command) => paste(command)))
  const [image, ...others] = replies.splice(8)
  expect(image).toContain('"b64_json":"')
  expect(others).toEqual([
    expect.stringContaining('"object":"video"'),
    expect.stringMatching(/"name":"\S+\/operations\/\w+"/),
    expect.stringContaining('"upload_url":"http'),
  ])
  for (const [index, reply] of replies.entries()) {
    const streamed = index % 2 === 1
    expect(reply).toContain(streamed ? 'Hello' : 'You said: Hello')
    expect(/^data: /m.test(reply)).toBe(streamed)
  }
  // Everything that a client sends and gets is told on stdout, without the secret.
  await expect.poll(() => server.output.stdout.match(/"msg":"exchange"/g)?.length).toBe(12)
  expect(server.output.stdout).not.toContain(secret)
  // Bytes that are no requests are seen too, on both addresses.
  for (const [listener, url] of Object.entries({ api: clients, admin: operators })) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.resume().end('canary-bytes\r\n\r\n')
    const line = `"msg":"refused connection","listener":"${listener}"`
    await expect.poll(() => server.output.stdout).toContain(line)
  }
  expect(server.output.stdout).not.toContain('canary')
})

test.concurrent('a second run knows the key but does not show it', async () => {
  await using place = await openPlace()
  const first = place.start(withoutAdmin)
  const [, secret = ''] = await first.said(/export DRAGOMAN_KEY=(dgm_\S+)\n/)
  first.child.kill('SIGTERM')
  expect((await first.ended).code).toBe(0)

  const second = place.start(withoutAdmin)
  const { clients } = await addressesOf(second)
  await second.said(/: npm start -- keys rotate bootstrap\n/)
  await second.said(/curl -N .*x-goog-api-key: \$DRAGOMAN_KEY/)
  expect(second.output.stderr).not.toContain(secret)
  expect(await statusWithKey(clients, secret)).toBe(200)
})

test.concurrent('keys that are made, rotated and revoked elsewhere are known without a restart', async ({
  expect,
}) => {
  await using place = await openPlace()
  await place.write('dragoman.config.json', JSON.stringify(sandboxless))
  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  await server.said(
    /No API key exists, so every call will be rejected: issue an API key with `npm start -- keys create`/,
  )
  const status = (secret: string, expected: number) =>
    expect.poll(() => statusWithKey(clients, secret), { timeout: 5000 }).toBe(expected)

  const created = (await place.call('keys create team')).stdout
  await status(created, 200)
  const rotated = (await place.call('keys rotate team')).stdout
  await status(rotated, 200)
  expect(await statusWithKey(clients, created)).toBe(401)
  await place.call('keys revoke team')
  await status(rotated, 401)
})

test.concurrent('flags win over the environment, and the environment over the file', async () => {
  await using place = await openPlace()
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const config = { ...sandboxless, listen: { port }, admin: { port } }
  await place.write('dragoman.config.json', JSON.stringify(config))
  const env = { DRAGOMAN_PORT: '0', DRAGOMAN_ADMIN_PORT: '0' }
  const [file, flag] = await Promise.all([
    place.run('--admin-port 0'),
    place.run(`--port ${port}`, env),
    addressesOf(place.start('', env)),
  ])
  taken.close()
  for (const { code, stdout, stderr } of [file, flag]) {
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      `dragoman: 127.0.0.1:${port} is in use already, perhaps by a gateway that drains. Choose another with --port.\n`,
    )
  }
})

test.concurrent('an address that others can reach wants a key first', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.json', JSON.stringify(sandboxless))
  for (const words of [`${anyPorts} --host 0.0.0.0`, 'check --host 0.0.0.0']) {
    const refused = await place.call(words)
    expect(refused.code).toBe(3)
    expect(refused.stderr).toMatch(/listen\.host\n.*no API key exists\n.*dragoman keys create/)
  }
  await place.call('keys create team --expires 1h')
  const server = place.start(`${anyPorts} --host 0.0.0.0`)
  const { clients, operators } = await addressesOf(server)
  expect(clients).toMatch(/^http:\/\/0\.0\.0\.0:/)
  expect(operators).toMatch(/^http:\/\/127\.0\.0\.1:/)
})

test('a configuration with problems is not served', async () => {
  await using place = await openPlace()
  await place.write('my.config.json', '{"accounts":[{"id":"a","provider":"x","models":["*"]}]}')
  const { code, stderr } = await place.call(`--config my.config.json ${anyPorts}`)
  expect(code).toBe(3)
  expect(stderr).toContain('accounts[0].provider')
  expect(stderr).not.toContain('Listening')
})

const sandboxless = {
  accounts: [{ id: 'a', provider: 'sandbox', baseUrl: 'http://127.0.0.1:9', models: ['*'] }],
}

async function paste(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command])
  return stdout
}
