import { expect, test } from 'vitest'

import { openPlace } from '../dragoman.ts'
import { dataOf, openDesk } from './desk.ts'
import { json, startFakeGateway } from './fake-gateway.ts'

const token = 'dga_canary-of-the-admin-token-0123456789'

test('the token goes to no other origin, over no open network, and into no message', async () => {
  await using place = await openPlace()
  await using thief = await startFakeGateway((response) => json(response, { data: {} }))
  await using fake = await startFakeGateway((response) =>
    response.writeHead(307, { location: `${thief.url}/graphql` }).end(),
  )
  for (const words of ['accounts list', 'audit export', 'tail', 'keys create']) {
    const env = { DRAGOMAN_ADMIN_URL: fake.url, DRAGOMAN_ADMIN_TOKEN: token }
    const failed = await place.call(`${words} --debug`, env)
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain(`redirects to ${thief.url}, where the admin token is not sent`)
    expect(failed.stderr).not.toContain(token)
  }
  expect(fake.visits[0]?.authorization).toBe(`Bearer ${token}`)
  expect(thief.visits).toEqual([])

  for (const host of ['gateway.invalid', '0.0.0.0', '10.0.0.1', '127.0.0.1.example.invalid']) {
    const refused = await place.call(`accounts list --url http://${host}:1`, {
      DRAGOMAN_ADMIN_TOKEN: token,
    })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/others on the way .* could read the admin token.*--insecure/)
  }
  const insecure = 'accounts list --insecure --url http://gateway.invalid:8788'
  expect((await place.call(insecure, { DRAGOMAN_ADMIN_TOKEN: token })).stderr).toMatch(
    /No gateway answers at http:\/\/gateway\.invalid:8788: /,
  )
})

test('a token comes from a variable or a file, so that no command line needs it', async () => {
  await using desk = await openDesk()
  const { adminUrl } = desk.gateway
  const secret = desk.gateway.token('viewer')
  await desk.place.write('token', `${secret}\n`)
  const list = `accounts list --json --url ${adminUrl}/graphql`
  for (const [words, env] of [
    [`--token file:${desk.place.path}/token`, {}],
    ['--token env:OPS_TOKEN', { OPS_TOKEN: secret }],
    [`--token ${secret}`, { DRAGOMAN_ADMIN_TOKEN: token }],
    ['', { DRAGOMAN_ADMIN_TOKEN: secret }],
    ['', { DRAGOMAN_ADMIN_TOKEN: `file:${desk.place.path}/token` }],
    ['', { DRAGOMAN_ADMIN_TOKEN: 'env:OPS_TOKEN', OPS_TOKEN: secret }],
  ] as const) {
    expect(dataOf(await desk.place.call(`${list} ${words}`, env))).toHaveLength(1)
  }
  for (const [words, said] of [
    ['', 'Which admin token? Set DRAGOMAN_ADMIN_TOKEN'],
    ['--token env:NOT_SET', 'the environment variable NOT_SET is not set'],
    ['--token file:token', 'absolute path'],
    [`--store file:x --token ${secret}`, '--url is for a running gateway, --store for its store'],
  ] as const) {
    const refused = await desk.place.call(`${list} ${words}`)
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(said)
    expect(refused.stderr).not.toContain(secret)
  }
  const refused = await desk.place.call(list, { DRAGOMAN_ADMIN_TOKEN: 'file:token' })
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain('DRAGOMAN_ADMIN_TOKEN: file: is not followed by an absolute')
})
