import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test, vi } from 'vitest'

import { renderOperations } from '../../examples/admin-client/render.ts'
import { repository } from '../docs/pages.ts'
import { printed } from '../docs/shells.ts'
import { openExample } from './example.ts'

vi.setConfig({ testTimeout: 60_000 })

const folder = join(repository, 'examples/admin-client')
const generated = join(folder, 'operations.generated.ts')
const token = { OPS_TOKEN: 'change-me-to-forty-random-characters-000' }

test('an operator works with the typed client as its README says', async () => {
  await using example = await openExample('admin-client')
  await example.follow('npm install')
  const [gateway] = await Promise.all([
    example.open('npm start', /Listening on/),
    example.open('npm run sandbox', /listens on/),
  ])
  const operate = (words: string, env = {}) => example.follow(words, { ...token, ...env })

  expect(await operate('-- accounts')).toBe('first  ENABLED  ALL\nsecond  ENABLED  ALL\n')
  const reply = JSON.parse(await example.follow('/v1/responses')) as { id: string }
  expect(await operate('-- bindings')).toContain(`response  ${reply.id}  first  20`)
  const lookUp = example.command('-- look-up')
  const found = () => example.run(lookUp, { ...token, RESPONSE_ID: reply.id })
  expect(await found()).toBe('FOUND  first\nCHAIN  200\nREAD  200\n')

  const following = await example.open('-- follow', /^/, token)
  // The first look at the accounts has something to compare with only after it.
  await printed(following, /"PulseSample"/)
  expect(await operate('-- disable')).toBe('first  DISABLED  0 calls under way\n')
  await printed(following, /"AccountChanged".*"accountId":"first","enabled":false/)
  await printed(following, /"action":"account.disable","result":"DONE"/)
  expect(await found()).toMatch(/CHAIN {2}503 {2}previous_response_account_unavailable/)
  expect(await operate('-- enable')).toBe('first  ENABLED\n')
  expect(await operate('-- jobs')).toBe('')
  const unknown = await example
    .run(example.command('-- enable').replace('first', 'none'), token)
    .catch(String)
  expect(unknown).toContain('NotFound: There is no account "none".')
  const refused = await example
    .run(example.command('-- jobs'), { OPS_TOKEN: 'wrong' })
    .catch(String)
  expect(refused).toContain('AdminError: An admin token is required')

  await example.follow('npm run generate')
  expect(example.unused()).toEqual([])
  gateway.signal('SIGTERM')
  await gateway.ended
})

test('the generated file fits the schema and the operations; `npm run generate` of the example writes it', async () => {
  const [schema, documents, committed] = await Promise.all(
    [join(repository, 'schema.graphql'), join(folder, 'operations.graphql'), generated].map(
      (path) => readFile(path, 'utf8'),
    ),
  )
  expect(committed).toBe(await renderOperations(schema!, documents!))
})

/** Uses of the generated types: a mistake in each that the compiler must find. */
const uses = `import { createAdminClient } from '${folder}/admin-client.ts'
import { AccountsDocument, DisableAccountDocument, JobsDocument } from '${generated}'

const client = createAdminClient({ url: '', token: '' })
const { accounts } = await client.query(AccountsDocument, { first: 1 })
const ids: string[] = accounts.edges.map(({ node }) => node.id)
// @ts-expect-error: no secret is in the schema.
accounts.edges[0]?.node.apiKey
// @ts-expect-error: a size is a number.
await client.query(AccountsDocument, { first: '1' })
// @ts-expect-error: a state that does not exist.
await client.query(JobsDocument, { filter: { state: 'LOST' } })
// @ts-expect-error: a reason is required.
const { disableAccount } = await client.mutate(DisableAccountDocument, { input: { id: ids[0]! } })
// @ts-expect-error: only a success has an account.
disableAccount?.account
// @ts-expect-error: an act that is refused has no answer.
disableAccount.__typename
if (disableAccount?.__typename === 'DisableAccountSuccess') disableAccount.account?.state.length
else disableAccount?.message.length
`

test('the compiler finds wrong uses of the generated client', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-types-'))
  await using _ = {
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
  await writeFile(join(directory, 'use.ts'), uses)
  await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module' }))
  const compilerOptions = { typeRoots: [join(repository, 'node_modules/@types')] }
  const project = { extends: join(repository, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(project))
  const tsc = join(repository, 'node_modules/.bin/tsc')
  const { code, stdout } = await promisify(execFile)(tsc, ['-p', directory]).then(
    (output) => ({ code: 0, ...output }),
    (error) => error,
  )
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
})
