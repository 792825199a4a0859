import { execFile } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { openPage, repository } from '../docs/pages.ts'
import { openPlace } from './dragoman.ts'
import { name, folder, read } from './written-plugin.ts'

test('a gateway from a tarball stays installed by later runs of `npm install`, which no registry answers', async () => {
  await using place = await openPlace()
  const { stderr } = await place.call(`plugin init ${name}`)
  const [, flag = ''] = /npm install (--\S+) \/path\/to\/dragoman-VERSION\.tgz/.exec(stderr) ?? []
  for (const page of [await read(place, 'README.md'), openPage('docs/plugins.md').text]) {
    expect(page).toContain(`npm install ${flag} /path/to/dragoman-VERSION.tgz`)
  }
  const own = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'))
  await mkdir(join(place.path, 'gateway'))
  await place.write(
    'gateway/package.json',
    JSON.stringify({ name: 'dragoman', version: own.version }),
  )
  const inPlace = (directory: string, ...words: string[]) => {
    // Without a registry: what has to be asked for there is missing.
    const settings = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' }
    const env = { ...process.env, ...settings, npm_config_cache: join(place.path, 'cache') }
    return promisify(execFile)('npm', words, { cwd: join(place.path, directory), env })
  }
  await inPlace('gateway', 'pack', '--pack-destination', '..')
  const manifest = JSON.parse(await read(place, 'package.json'))
  const bare = { ...manifest, dependencies: {}, devDependencies: {} }
  await place.write(`${folder}/package.json`, JSON.stringify(bare))

  await inPlace(folder, 'install', flag, `../dragoman-${own.version}.tgz`)
  for (const left of ['node_modules', 'package-lock.json']) {
    await rm(join(place.path, folder, left), { recursive: true })
    await inPlace(folder, 'install')
    const installed = await read(place, 'node_modules/dragoman/package.json')
    expect(JSON.parse(installed)).toMatchObject({ version: own.version })
  }
  const { peerDependencies } = JSON.parse(await read(place, 'package.json'))
  expect(peerDependencies).toEqual(manifest.peerDependencies)
})
