import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test, vi } from 'vitest'

import { renderOperations } from '../../examples/admin-client/render.ts'
import { repository } from '../docs/pages.ts'

vi.setConfig({ testTimeout: 60_000 })

const folder = join(repository, 'examples/admin-client')

const generated = join(folder, 'operations.generated.ts')

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
