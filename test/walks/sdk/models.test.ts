import { describe, expect, test } from 'vitest'

import { listedModels } from '../../../src/sandbox/models.ts'
import { anthropicVersions } from './anthropic.ts'
import { genaiVersions } from './genai.ts'
import { openaiVersions } from './openai.ts'
import { collect, startWalk } from './walk.ts'

/** An alias, and the models of the sandbox, which the pattern of the accounts covers. */
const names = ['fast', ...listedModels.toSorted()]

describe.for(openaiVersions)('$name, models', ({ OpenAI, connect }) => {
  test('a client lists the names of the configuration and the models that the accounts list', async () => {
    await using walk = await startWalk({ aliases: { fast: 'sandbox/echo' } })
    const models = await collect(connect(walk).models.list())
    expect(models.map(({ id }) => id)).toEqual(names)
    expect(models[0]).toMatchObject({ object: 'model', created: expect.any(Number) })
  })

  test('a client retrieves a model whose name holds a slash, and not an unknown one', async () => {
    await using walk = await startWalk()
    const { models } = connect(walk)
    expect(await models.retrieve('sandbox/echo')).toMatchObject({
      id: 'sandbox/echo',
      object: 'model',
    })
    await expect(models.retrieve('acme/unknown')).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })
})

describe.for(anthropicVersions)('$name, models', ({ Anthropic, connect }) => {
  test('a client lists the names of the configuration and the models that the accounts list', async () => {
    await using walk = await startWalk({ aliases: { fast: 'sandbox/echo' } })
    const { models } = connect(walk)
    expect((await collect(models.list())).map(({ id }) => id)).toEqual(names)
    expect((await models.list()).data[0]).toMatchObject({ type: 'model', display_name: 'fast' })
  })

  test('a client retrieves a model whose name holds a slash, and not an unknown one', async () => {
    await using walk = await startWalk()
    const { models } = connect(walk)
    expect(await models.retrieve('sandbox/echo')).toMatchObject({
      id: 'sandbox/echo',
      type: 'model',
      display_name: 'sandbox/echo',
    })
    const unknown = models.retrieve('acme/unknown')
    await expect(unknown).rejects.toBeInstanceOf(Anthropic.NotFoundError)
    await expect(unknown).rejects.toMatchObject({ type: 'not_found_error' })
  })
})

describe.for(genaiVersions)('$name, models', ({ ApiError, connect }) => {
  test('a client pages to the end through the names of the configuration and the models that the accounts list', async () => {
    await using walk = await startWalk({ aliases: { fast: 'sandbox/echo' } })
    const pager = await connect(walk).models.list({ config: { pageSize: 1 } })
    const models = await collect(pager)
    expect(models.map(({ name }) => name)).toEqual(names.map((name) => `models/${name}`))
    expect(pager.hasNextPage()).toBe(false)
  })

  test('a client asks a model by the name that the list gives it', async () => {
    await using walk = await startWalk()
    const { models } = connect(walk)
    const [listed] = await collect(await models.list())
    const model = listed?.name ?? ''
    const answer = await models.generateContent({ model, contents: 'hi' })
    expect(answer.text).toBe('You said: hi')
    expect((await models.get({ model })).name).toBe(model)
  })

  test('a client retrieves a model whose name holds a slash, and not an unknown one', async () => {
    await using walk = await startWalk()
    const { models } = connect(walk)
    const found = await models.get({ model: 'sandbox/echo' })
    expect(found).toMatchObject({ displayName: 'sandbox/echo' })
    const unknown = models.get({ model: 'acme/unknown' })
    await expect(unknown).rejects.toBeInstanceOf(ApiError)
    await expect(unknown).rejects.toMatchObject({ status: 404 })
  })
})
