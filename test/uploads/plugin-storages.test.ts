import { expect, test } from 'vitest'

import { checkConfiguration } from '../../src/configuration/resolve.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import type { FileName, Storage } from '../../src/contract/storage.ts'
import { refusal, startService } from './service.ts'

const place = { region: 'cellar', root: 'shelf/' }

/** A storage as somebody else writes it. */
function vault(): Storage & { readonly asked: FileName[] } {
  const asked: FileName[] = []
  return {
    asked,
    name: 'vault',
    places: [place],
    inspects: true,
    isPublic: false,
    async upload(file, { maxBytes }) {
      asked.push(file)
      return { url: `https://vault.example/in?max=${maxBytes}`, headers: { 'x-vault': 'open' } }
    },
    visit: async ({ path }) => `https://vault.example/out/${path}`,
    async open() {
      throw new GatewayError('not_found', 'There is no such file.')
    },
  }
}

test('a plugin’s storage is asked for by its name', async () => {
  const storage = vault()
  const plugin = definePlugin({ name: 'vault', storages: [storage] })
  await using service = await startService({ plugins: [plugin], uploads: { maxBytes: 5 } })
  const descriptor = await service.issue({ path: 'a/b.png', storage_provider: 'vault' })
  const owner = storage.asked[0]?.owner
  expect(owner).toMatch(/^[0-9a-f]{32}$/)
  expect(descriptor).toEqual({
    upload_url: 'https://vault.example/in?max=5',
    method: 'PUT',
    path: `vault://shelf/${owner}/a/b.png`,
    visit_url: 'https://vault.example/out/a/b.png',
    headers: { 'x-vault': 'open' },
  })
  expect(storage.asked).toEqual([{ place, owner, path: 'a/b.png' }])
  const climbing = await service.ask({ path: '../b.png', storage_provider: 'vault' })
  expect(await refusal(climbing)).toEqual([400, 'invalid_value'])
  expect(storage.asked).toHaveLength(1)
})

test('it can be the one that is meant where none is named', async () => {
  const plugins = [definePlugin({ name: 'vault', storages: [vault()] })]
  await using service = await startService({ plugins, uploads: { default: 'vault' } })
  expect((await service.issue({ path: 'a' })).path).toMatch(/^vault:\/\//)
})

const { name: _, ...nameless } = vault()

test.each<[string, unknown, string]>([
  ['that are no list', {}, 'plugins[0].storages'],
  ['without a name', [nameless], 'plugins[0].storages[0].name'],
  ['with the name of a scheme', [{ ...vault(), name: 'https' }], 'plugins[0].storages[0].name'],
  ['with the gateway’s own name', [{ ...vault(), name: 'local' }], 'plugins[0].storages[0].name'],
  ['with one name', [vault(), vault()], 'plugins[0].storages[1].name'],
  ['without a place', [{ ...vault(), places: [] }], 'plugins[0].storages[0].places'],
  ['that open nothing', [{ ...vault(), open: undefined }], 'plugins[0].storages[0].open'],
  ['that are nothing', [undefined], 'plugins[0].storages[0].name'],
])('storages %s are told where they stand', (_, storages, path) => {
  const { problems } = checkConfiguration({ plugins: [{ name: 'mine', storages }] }, { env: {} })
  expect(problems.map((problem) => problem.path)).toContain(path)
})

test('a configured storage of the same name is a problem, not a guess', () => {
  const s3 = { kind: 's3', bucket: 'b', region: 'x', accessKeyId: 'a', secretAccessKey: 'b' }
  const { problems, settings } = checkConfiguration(
    { plugins: [{ name: 'mine', storages: [vault()] }], uploads: { storages: { vault: s3 } } },
    { env: {} },
  )
  expect(problems.map(({ path }) => path)).toEqual(['uploads.storages.vault'])
  expect(settings.uploads.storages).toEqual([])
})
