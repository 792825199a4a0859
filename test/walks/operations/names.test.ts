import { expect, test } from 'vitest'

import { askOperation, operationStage, order } from './stage.ts'

const model = 'pub/veo-3'
const accounts = [{ id: 'a', speaks: ['video-operations'], models: { [model]: 'sandbox/polls=0' } }]

test('an operation is found under every spelling of its name', async () => {
  await using stage = await operationStage({ accounts })
  const short = await order(stage, model)
  const id = short.split('/').at(-1)
  expect(short).toBe(`projects/dragoman/locations/global/operations/${id}`)
  const project = 'projects/dragoman/locations/global'
  const long = `${project}/publishers/pub/models/${model}/operations/${id}`
  for (const name of [
    short,
    long,
    `operations/${id}`,
    `models/${model}/operations/${id}`,
    `models/pub%2Fveo-3/operations/${id}`,
    `publishers/pub/models/${model}/operations/${id}`,
    `${project}/models/${model}/operations/${id}`,
    `${project}/publishers/pub/models/veo-3/operations/${id}`,
    `${project}/publishers/pub/models/pub%2Fveo-3/operations/${id}`,
  ]) {
    for (const version of ['v1', 'v1beta', 'v1alpha', 'v1beta1']) {
      const told = await askOperation(stage, `/${version}/${name}`)
      expect([name, told.status, told.name, told.done]).toEqual([name, 200, long, true])
      expect(told.response?.videos).toBeUndefined()
    }
    const operationName = decodeURIComponent(name)
    const resource = name.slice(0, name.lastIndexOf('/operations/'))
    const place = name.startsWith('operations/') ? name : resource
    const fetched = await askOperation(stage, `/v1beta1/${place}:fetchPredictOperation`, {
      body: { operationName },
    })
    expect([name, fetched.status, fetched.name]).toEqual([name, 200, long])
    expect(fetched.response?.videos).toHaveLength(1)
  }
})

test('a name of which a part is not so names nothing', async () => {
  await using stage = await operationStage({ accounts })
  const short = await order(stage, model)
  const id = short.split('/').at(-1)
  const project = 'projects/dragoman/locations/global'
  for (const name of [
    `projects/other/locations/global/operations/${id}`,
    `projects/dragoman/locations/other/operations/${id}`,
    `${project}/publishers/pub/models/pub/veo-2/operations/${id}`,
    `${project}/publishers/pub/models/veo-2/operations/${id}`,
    `models/veo-3/operations/${id}`,
    `publishers/other/models/${model}/operations/${id}`,
    `${project}/publishers/google/models/${model}/operations/${id}`,
    `${project}/publishers/other/models/veo-3/operations/${id}`,
    `operations/${id}x`,
    'operations/unknown',
  ]) {
    const told = await askOperation(stage, `/v1beta/${name}`)
    expect([name, told.status, told.error]).toMatchObject([
      name,
      404,
      { code: 404, status: 'NOT_FOUND' },
    ])
    const fetched = await askOperation(stage, `/v1beta1/${project}:fetchPredictOperation`, {
      body: { operationName: name },
    })
    expect([name, fetched.status]).toEqual([name, 404])
  }
  const wrongPlace = await askOperation(
    stage,
    '/v1beta1/projects/other/locations/global:fetchPredictOperation',
    { body: { operationName: short } },
  )
  expect(wrongPlace.status).toBe(404)
  const odd = [`other/${short}`, short.replace('/operations/', '/models//operations/')]
  for (const operationName of [undefined, 7, '', 'projects/dragoman', ...odd]) {
    const body = { operationName }
    const refused = await askOperation(stage, `/v1beta1/${project}:fetchPredictOperation`, { body })
    expect([refused.status, refused.error?.status]).toEqual([400, 'INVALID_ARGUMENT'])
  }
})

test('a model without a publisher is the one of Google’s SDKs, and of no other publisher', async () => {
  const models = { 'veo-3': 'sandbox/polls=0' }
  await using stage = await operationStage({ accounts: [{ ...accounts[0], id: 'a', models }] })
  const id = (await order(stage, 'veo-3')).split('/').at(-1)
  for (const [publisher, status] of [
    ['google', 200],
    ['acme', 404],
    ['veo-3', 404],
  ]) {
    const name = `publishers/${publisher}/models/veo-3/operations/${id}`
    expect([publisher, (await askOperation(stage, `/v1beta/${name}`)).status]).toEqual([
      publisher,
      status,
    ])
  }
})

test('another key’s operation and file look like unknown ones', async () => {
  await using stage = await operationStage({
    accounts,
    keys: [
      { id: 'test', secret: 'test-secret' },
      { id: 'other', secret: 'other-secret' },
    ],
  })
  const name = await order(stage, model)
  const { response } = await askOperation(stage, `/v1beta/${name}`)
  const file = /files\/(\w+)/.exec(response?.generatedVideos[0]?.uri ?? '')?.[1]
  for (const path of [name, `files/${file}:download?alt=media`, `files/${file}`]) {
    const told = await askOperation(stage, `/v1beta/${path}`, { key: 'other-secret' })
    expect([told.status, told.error?.status]).toEqual([404, 'NOT_FOUND'])
  }
})
