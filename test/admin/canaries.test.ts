import { expect, test } from 'vitest'

import { ConfigurationError } from '../../src/contract/problems.ts'
import { resolveSettings } from '../../src/configuration/resolve.ts'
import { createAuditLog } from '../../src/audit/log.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { startAdminGateway } from './admin-gateway.ts'
import { send } from './http/send.ts'

const canary = 'CANARY-of-a-secret'

test('what no operation can be read from is repeated in no answer and no log', async () => {
  await using gateway = await startAdminGateway()
  const headers = { authorization: `Bearer ${gateway.token('admin')}` }
  const json = { ...headers, 'content-type': 'application/json' }
  const bodies = [
    `{"query": "{ viewer { id } }", "variables": ${canary}}`,
    canary,
    `{"query": "${canary}`,
    JSON.stringify(canary),
    JSON.stringify([canary]),
    JSON.stringify({ query: { [canary]: canary } }),
    JSON.stringify({ query: '{ viewer { id } }', variables: canary }),
    JSON.stringify({ query: '{ viewer { id } }', variables: [canary] }),
    JSON.stringify({ query: '{ viewer { id } }', extensions: canary }),
    JSON.stringify({ query: '{ viewer { id } }', operationName: { canary } }),
  ]
  for (const body of bodies) {
    const { status, text } = await send(gateway.adminUrl, { headers: json, body })
    expect([body, status < 500, text.includes('CANARY')]).toEqual([body, true, false])
  }
  const query = encodeURIComponent('{ viewer { id } }')
  for (const more of [`variables=${canary}`, `extensions=${canary}`, `variables=%22${canary}%22`]) {
    const path = `/graphql?query=${query}&${more}`
    const { status, text } = await send(gateway.adminUrl, { method: 'GET', path, headers })
    expect([more, status < 500, text.includes('CANARY')]).toEqual([more, true, false])
  }
  expect(JSON.stringify(gateway.log)).not.toContain('CANARY')
})

test('a credential in the place of a name is repeated in no answer, log or record', async () => {
  await using gateway = await startAdminGateway()
  const create = `mutation ($input: CreateAccountInput!) {
    createAccount(input: $input) { __typename ... on Invalid { problems { path message fix } } } }`
  const answers = []
  for (const credential of [`env:${canary}`, `env: ${canary}`, `file:${canary}`]) {
    const input = { id: 'a', provider: 'openai', credential, models: ['*'] }
    answers.push(await gateway.graph<Record<string, unknown>>(create, { input }))
  }
  expect(answers.map(({ data }) => data['createAccount'])).toMatchObject(
    answers.map(() => ({ __typename: 'Invalid' })),
  )
  const audit = await createAuditLog({ store: gateway.running.store }).list({ limit: 100 })
  expect(JSON.stringify([answers, gateway.log, audit])).not.toContain('CANARY')
})

test('a password in a wrong URL of the configuration is not repeated', () => {
  const oidc = { clientId: 'a', clientSecret: 'b', roles: { admins: 'viewer' } }
  const urls = [
    `https://user:${canary}@login.example`,
    `https://${canary}@login.example/x`,
    `user:${canary}@login.example`,
    `https://login.example?token=${canary}`,
    `https://login.example#${canary}`,
  ]
  for (const url of urls)
    for (const config of [
      { admin: { oidc: { ...oidc, issuer: url } } },
      { admin: { oidc: { ...oidc, issuer: 'https://a.example', redirectUrl: url } } },
      { publicUrl: url },
    ]) {
      const check = () => resolveSettings(config, { env: {} })
      expect(check).toThrow(ConfigurationError)
      expect(check).not.toThrow(/CANARY/)
    }
})

test('viewers do not learn the names of variables by a name that is alike', () => {
  const account = { id: 'a', provider: 'openai', apiKey: 'env:PRIVATE_NAMES', models: ['*'] }
  const check = () => resolveSettings({ accounts: [account] }, { env: { PRIVATE_NAME: 'secret' } })
  // People at the terminal do.
  expect(check).toThrow(/did you mean PRIVATE_NAME\?/)
  try {
    check()
  } catch (error) {
    const shown = (error as ConfigurationError).problems.map(({ path, message, fix }) => [
      path,
      message,
      fix,
    ])
    expect(JSON.stringify(shown)).not.toMatch(/PRIVATE_NAME\b/)
  }
})

test('aliases with the names of members of all objects are shown', async () => {
  const store = openMemoryStore()
  const records = store.records('aliases', { listed: true })
  const names = ['constructor', '__proto__', 'toString']
  const rest = { model: 'gpt', version: 1, changedAt: 1, changedBy: 'me' }
  for (const name of names) await records.set(name, { name, ...rest })
  await using gateway = await startAdminGateway({ store })
  const { data, errors } = await gateway.graph<{
    configuration: { settings: { path: string }[] }
    aliases: { name: string }[]
  }>('{ configuration { settings { path } } aliases { name } }')
  expect(errors).toEqual([])
  expect(data.aliases.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
  const paths = data.configuration.settings.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(names.map((name) => `aliases.${name}`)))
})
