import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { getNamedType, isInputObjectType, isNonNullType } from 'graphql'
import { expect, test } from 'vitest'

import { createAdminSchema } from '../../src/admin/schema/index.ts'
import { until } from '../../src/testing/until.ts'
import { openCheckout, serving } from './checkout.ts'
import { addressed, openPage, repository } from './pages.ts'
import { rootFields } from './roles/operations.ts'
import { printed } from './shells.ts'

const page = openPage('docs/admin.md')
const example = (words: string) => page.block('sh', words)
const [create = '', start = '', list = ''] = page.blocks('sh')

test('an operator does the tasks of the page by its commands', async () => {
  await using checkout = await openCheckout()
  await checkout.run(create)
  const { admin, clients } = await serving(checkout.start(start))
  const paste = (words: string, env: Record<string, string> = {}) =>
    checkout.run(addressed(example(words), { admin }), env)

  const listed = await checkout.run(addressed(list, { admin }))
  expect(listed).toContain('"viewer":{"id":"ops","role":"admin"')
  expect(listed).toMatch(/\{"node":\{"id":"sandbox","provider":"sandbox",.*"state":"enabled"\}\}/)

  const created = await paste('createKey')
  expect(created).toMatch(/"__typename":"CreateKeySuccess".*"key":\{"id":"team-a"/)
  const [secret = ''] = /dgm_[\w-]+/.exec(created) ?? []
  const send = async (path: string, body: object): Promise<{ id: string }> => {
    const response = await fetch(`${clients}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox/echo', ...body }),
    })
    return (await response.json()) as { id: string }
  }
  const following = checkout.start(addressed(example('curl -N'), { admin }))
  // A subscription has no first answer; what happens before it is not in it.
  await until(async () => {
    await send('/v1/responses', { input: 'Hello' })
    return following.output.text.includes('"ExchangeEnded"')
  }, 20_000)

  const { id: RESPONSE_ID } = await send('/v1/responses', { input: 'Hello' })
  expect(await paste('$RESPONSE_ID', { RESPONSE_ID })).toMatch(
    /"state":"FOUND","binding":\{"accountId":"sandbox".*"use":"CHAIN","status":200/,
  )
  const { id: JOB_ID } = await send('/v1/videos', { prompt: 'A cat' })
  expect(await paste('$JOB_ID', { JOB_ID })).toContain('"__typename":"ForgetJobSuccess"')
  expect(await paste('$JOB_ID', { JOB_ID })).toMatch(/"NotFound","message":"There is no job/)

  const first = await checkout.run(
    addressed(example('$END_CURSOR'), { admin }).replace(`"'$END_CURSOR'"`, 'null'),
  )
  const [, END_CURSOR = ''] = /"hasNextPage":true,"endCursor":"([^"]+)"/.exec(first) ?? []
  const [idOfFirst = ''] = /"id":"[^"]+"/.exec(first) ?? []
  const second = await paste('$END_CURSOR', { END_CURSOR })
  expect(second).toMatch(/"edges":\[\{"node":\{"id":"/)
  expect(second).not.toContain(idOfFirst)

  expect(await paste('disableAccount')).toContain(
    '"DisableAccountSuccess","account":{"state":"disabled"},"running":0',
  )
  await printed(following, /"action":"account.disable","result":"DONE"/)
  expect(await paste('rotateKey')).toMatch(/"RotateKeySuccess","secret":"dgm_.*"graceUntil":"2/)
  expect(await paste('revokeKey')).toMatch(/"key":\{"id":"team-a","state":"REVOKED"\}/)
  const revoked = await checkout.run(example('admin-tokens revoke'))
  expect(revoked).toMatch(/ops +active +admin/)
  expect(await checkout.run('npm start -- admin-tokens list')).toMatch(/ops +revoked +admin/)
}, 60_000)

test('the typed client of the page runs', async () => {
  await using checkout = await openCheckout()
  const token = 'a'.repeat(32)
  const { admin } = await serving(checkout.start(start, { DRAGOMAN_ADMIN_TOKEN: token }))
  const snippet = addressed(page.blocks('js')[0] ?? '', { admin })
  await checkout.write('typed.mjs', snippet.replaceAll("'./", "'./examples/admin-client/"))
  const run = () => checkout.run('node_modules/.bin/node typed.mjs', { OPS_TOKEN: token })
  expect(await run()).toBe('disabled\n')
})

test('each command of the page is run', () => {
  const blocks = page.blocks('sh')
  const ids = ['$RESPONSE_ID', '$JOB_ID', '$END_CURSOR']
  const run = ['createKey', 'curl -N', ...ids, 'disableAccount', 'rotateKey', 'revokeKey']
  const known = [create, start, list, ...run.map(example), example('admin-tokens revoke')]
  expect(blocks.filter((block) => !known.includes(block))).toEqual([])
})

test('the page names every query, mutation and subscription of the schema, and no other', () => {
  const rows = page
    .section('Nouns')
    .split('\n')
    .filter((line) => line.startsWith('|'))
  const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  const fields = rootFields(createAdminSchema()).map(({ name }) => name)
  expect(named.toSorted()).toEqual(fields.toSorted())
})

test('the page names the acts that demand a reason, and no other', () => {
  const [, list = ''] = /These acts demand it:([^]*?), and `rotateKey`/.exec(page.text) ?? []
  const mutations = createAdminSchema().getMutationType()?.getFields() ?? {}
  const demanding = Object.values(mutations).filter(({ args }) =>
    args.some(({ type }) => {
      const input = getNamedType(type)
      return isInputObjectType(input) && isNonNullType(input.getFields()['reason']?.type)
    }),
  )
  const named = [...list.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  expect(named).toEqual(demanding.map(({ name }) => name).toSorted())
})

test('the pages have the codes of all errors of the API', () => {
  const pages = ['docs/admin.md', 'docs/admin-access.md'].map((path) => openPage(path).text).join()
  const sources = globSync('src/admin/**/*.ts', { cwd: repository }).map((path) =>
    readFileSync(join(repository, path), 'utf8'),
  )
  const codes = sources.flatMap((text) =>
    [...text.matchAll(/(?:code: |refusalOf\(\d+, )'([A-Z_]+)'/g)].map(([, code = '']) => code),
  )
  expect(codes.length).toBeGreaterThan(10)
  expect([...new Set(codes)].filter((code) => !pages.includes(`\`${code}\``))).toEqual([])
})
