import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import {
  ConfigurationError,
  type GatewayPlugin,
  type PluginRecords,
  definePlugin,
  openStore,
} from '../../src/index.ts'
import type { AdminBuilder } from '../../src/admin/index.ts'
import { createTestGateway } from '../../src/testing/index.ts'
import { askChat, stage } from './chat.ts'
import { notes } from './notes.ts'

const ask = '{ modelNotes { model count } }'

describe('a plugin that adds to the admin API', () => {
  test('answers from records of its own, for the roles that it names', async () => {
    await using scene = await stage({ plugins: [notes()], admin: true })
    const { gateway } = scene
    await (await askChat(gateway)).arrayBuffer()
    await (await askChat(gateway, { fields: { model: 'other' } })).arrayBuffer()
    await (await askChat(gateway)).arrayBuffer()
    await expect
      .poll(() => gateway.admin!.ask(ask, { role: 'operator' }))
      .toEqual({
        data: {
          modelNotes: [
            { model: 'm', count: 2 },
            { model: 'other', count: 1 },
          ],
        },
      })
    const refused = await gateway.admin!.ask(ask, { role: 'viewer' })
    expect(refused.errors?.[0]?.message).toBe('The role viewer does not permit `modelNotes`.')
  })

  test('has an audit record for each of its mutations, refused ones too', async () => {
    await using scene = await stage({ plugins: [notes()], admin: true })
    const { gateway } = scene
    const forget = 'mutation { forgetModelNote(input: { model: "m" }) { __typename } }'
    await (await askChat(gateway)).arrayBuffer()
    const answers = []
    await expect
      .poll(() => gateway.admin!.ask(ask, { role: 'operator' }))
      .toEqual({ data: { modelNotes: [{ model: 'm', count: 1 }] } })
    for (const role of ['viewer', 'operator', 'operator'] as const) {
      const { data } = await gateway.admin!.ask(forget, { role })
      answers.push((data as { forgetModelNote: { __typename: string } | null }).forgetModelNote)
    }
    expect(answers).toEqual([
      null,
      { __typename: 'ForgetModelNoteSuccess' },
      { __typename: 'NotFound' },
    ])
    const { data } = await gateway.admin!.ask(
      '{ audit { edges { node { action result actor { id } target { type id } } } } }',
    )
    const { audit } = data as { audit: { edges: { node: object }[] } }
    const about = { action: 'model-note.forget', target: { type: 'model-note', id: 'm' } }
    expect(audit.edges.map(({ node }) => node)).toMatchObject([
      { ...about, result: 'FAILED' },
      { ...about, result: 'DONE' },
      { ...about, result: 'REFUSED' },
    ])
  })

  test('and fails there takes nothing else from the API', async () => {
    const failing = definePlugin({
      name: 'failing',
      admin: (builder: AdminBuilder) =>
        builder.queryField('broken', (t) =>
          t.string({
            authScopes: { viewer: true },
            resolve: () => Promise.reject(new Error('canary-of-the-plugin')),
          }),
        ),
    })
    await using gateway = await createTestGateway({ plugins: [failing], admin: true })
    const answer = await gateway.admin!.ask('{ broken }')
    expect(JSON.stringify(answer)).not.toContain('canary')
    expect(answer.errors).toHaveLength(1)
    expect(await gateway.admin!.ask('{ viewer { role } }')).toEqual({
      data: { viewer: { role: 'ADMIN' } },
    })
  })

  /** Additions that must not reach a running API, and the problem of each. */
  const wrong: Record<string, [GatewayPlugin['admin'], RegExp]> = {
    'a root field without a decision': [
      (builder: AdminBuilder) => builder.queryField('open', (t) => t.string({ resolve: () => '' })),
      /adds `Query.open` without an authorisation decision/,
    ],
    'an empty decision': [
      (builder: AdminBuilder) =>
        builder.queryField('open', (t) => t.string({ authScopes: {}, resolve: () => '' })),
      /adds `Query.open` without/,
    ],
    'a type without a decision': [
      (builder: AdminBuilder) => {
        const type = builder
          .objectRef<object>('Open')
          .implement({ fields: (t) => ({ x: t.string({ resolve: () => '' }) }) })
        builder.queryField('open', (t) =>
          t.field({ type, authScopes: { viewer: true }, resolve: () => ({}) }),
        )
      },
      /adds `Open.x` without/,
    ],
    'a field that steps over the decision of its type': [
      (builder: AdminBuilder) =>
        builder.objectField('Problem' as never, 'more', (t) =>
          t.string({ skipTypeScopes: true, resolve: () => '' }),
        ),
      /adds `Problem.more` without/,
    ],
    'a mutation without an audit record': [
      (builder: AdminBuilder) =>
        builder.mutationField('silent', (t) =>
          t.string({
            authScopes: { admin: true },
            extensions: { audit: { action: 'a.b', target: () => ({ type: 'a', id: '' }) } },
            resolve: () => '',
          }),
        ),
      /adds `Mutation.silent` without an audit record/,
    ],
    'a field that exists': [
      (builder: AdminBuilder) =>
        builder.queryField('viewer', (t) =>
          t.string({ authScopes: { viewer: true }, resolve: () => '' }),
        ),
      /`admin` fails: .*viewer/,
    ],
    'a throw': [
      () => {
        throw new Error('no builder for me')
      },
      /`admin` fails: no builder for me/,
    ],
  }

  test.each(Object.entries(wrong))(
    'with %s is a problem of the start',
    async (_, [admin, problem]) => {
      const plugin = definePlugin({ name: 'wrong', ...(admin && { admin }) })
      const start = createTestGateway({ plugins: [plugin], admin: true })
      const error = await start.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(ConfigurationError)
      expect((error as ConfigurationError).message).toMatch(problem)
      expect((error as ConfigurationError).problems[0]?.path).toBe('plugin "wrong"')
      // Where the API is off, nothing asks the plugin.
      await using _gateway = await createTestGateway({ plugins: [plugin] })
    },
  )
})

describe('the records of a plugin', () => {
  /** Writes under one name and reads under the other. */
  async function read(
    url: string,
    cwd: string,
    writer: [string, string],
    reader: [string, string],
  ) {
    const store = await openStore(url, { cwd })
    let found: unknown
    const place = (
      [name, namespace]: [string, string],
      use: (one: PluginRecords<string>) => Promise<void>,
    ) => definePlugin({ name, onStart: ({ records }) => use(records<string>(namespace)) })
    const written = place(writer, (one) => one.set('c:x', 'secret of the writer'))
    const wanted = place(reader, async (one) => {
      found = (await one.get('c:x')) ?? (await one.get('x'))
    })
    await using _first = await createTestGateway({ store, plugins: [written] })
    await using _second = await createTestGateway({ store, plugins: [wanted] })
    await store.close()
    return found
  }

  const pairs: [[string, string], [string, string]][] = [
    [
      ['a', 'b'],
      ['other', 'b'],
    ],
    [
      ['a', 'b'],
      ['A', 'b'],
    ],
    [
      ['a', 'b'],
      ['a:b', 'c'],
    ],
    [
      ['a', 'b'],
      ['a%3ab', 'c'],
    ],
    [
      ['ä', 'b'],
      ['%c3%a4', 'b'],
    ],
  ]

  test('are unreachable for a plugin of any other name, in memory and in a file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    try {
      for (const [index, [writer, reader]] of pairs.entries()) {
        for (const url of ['memory:', `file:${join(directory, String(index))}`]) {
          expect(await read(url, directory, writer, reader)).toBeUndefined()
          expect(await read(url, directory, writer, writer)).toBe('secret of the writer')
        }
      }
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })

  test('have no namespace that leads out of its own', async () => {
    const errors: unknown[] = []
    const plugin = definePlugin({
      name: 'a',
      onStart({ records }) {
        for (const namespace of ['', 'b:c', '../keys', 'B', 'x'.repeat(65)]) {
          try {
            records(namespace)
          } catch (error) {
            errors.push(error)
          }
        }
      },
    })
    await using _gateway = await createTestGateway({ plugins: [plugin] })
    expect(errors).toHaveLength(5)
  })
})

describe('a plugin that starts', () => {
  test('has its end announced before it is disposed of', async () => {
    const order: string[] = []
    const plugin = definePlugin({
      name: 'orderly',
      onStart({ signal }) {
        order.push('start')
        signal.addEventListener('abort', () => order.push('abort'))
      },
      onDispose: () => void order.push('dispose'),
    })
    const gateway = await createTestGateway({ plugins: [plugin] })
    await gateway[Symbol.asyncDispose]()
    expect(order).toEqual(['start', 'abort', 'dispose'])
  })

  test.each<[string, NonNullable<GatewayPlugin['onStart']>]>([
    [
      'throws',
      () => {
        throw new Error('not today')
      },
    ],
    ['rejects', () => Promise.reject(new Error('not today'))],
  ])('and %s is logged, and the gateway serves', async (_, onStart) => {
    await using scene = await stage({ plugins: [definePlugin({ name: 'unlucky', onStart })] })
    expect((await askChat(scene.gateway)).status).toBe(200)
    expect(scene.gateway.log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        msg: 'unlucky: onStart failed',
        error: 'Error: not today',
      }),
    )
  })
})
