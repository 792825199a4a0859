import { once } from 'node:events'
import { stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { describe, expect, test } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import { storeContract } from './contract.ts'
import { temporaryDirectory } from './temporary.ts'
import { openIn, disposable, startWriter } from './file-stores.ts'

describe('contract', () => {
  storeContract(async () => {
    const directory = await temporaryDirectory()
    const store = await openIn(directory.path)
    return {
      store,
      async [Symbol.asyncDispose]() {
        await store.close()
        await directory[Symbol.asyncDispose]()
      },
    }
  })
})

test('records outlive the store that wrote them', async () => {
  await using directory = await temporaryDirectory()
  const first = await openIn(directory.path)
  await first.records<string>('things').set('a', 'kept')
  await first.close()
  await using second = await disposable(directory.path)
  expect(await second.store.records('things').get('a')).toBe('kept')
})

test('a relative directory is made below the working directory, for its owner alone', async () => {
  await using directory = await temporaryDirectory()
  const store = await openStore('file:deep/er', { cwd: directory.path })
  await store.records<number>('things').set('a', 1)
  const mode = async (...path: string[]) =>
    (await stat(join(directory.path, 'deep', 'er', ...path))).mode & 0o777
  expect(await mode()).toBe(0o700)
  expect(await mode('store.sqlite')).toBe(0o600)
  expect(await mode('store.sqlite-wal')).toBe(0o600)
  await store.close()
})

test("another process's write changes the version and is read at once", async () => {
  await using directory = await temporaryDirectory()
  await using opened = await disposable(directory.path)
  const records = opened.store.records('things', { listed: true })
  const before = await records.version()
  await once(startWriter(directory.path, 'other', 1), 'close')
  expect(await records.version()).not.toBe(before)
  expect(await records.get('other-0')).toBe(0)
})

test('a writer that is killed loses nothing that was acknowledged', async () => {
  await using directory = await temporaryDirectory()
  const writer = startWriter(directory.path, 'w', 1_000_000)
  let output = ''
  writer.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    if (output.length > 5000) writer.kill('SIGKILL')
  })
  await once(writer, 'close')
  expect(writer.signalCode).toBe('SIGKILL')
  const acknowledged = output.split('\n').slice(0, -1).map(Number)
  await using opened = await disposable(directory.path)
  const records = opened.store.records<number>('things')
  for (const index of acknowledged) {
    expect(await records.get(`w-${index}`)).toBe(index)
  }
})

test('a store of the first schema is taken over with all that is in it', async () => {
  await using directory = await temporaryDirectory()
  const database = new DatabaseSync(join(directory.path, 'store.sqlite'))
  database.exec(`CREATE TABLE records (
      namespace TEXT NOT NULL, id TEXT NOT NULL, envelope TEXT NOT NULL, expires INTEGER,
      PRIMARY KEY (namespace, id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO records VALUES ('keys', 'a', '{"value":1}', NULL);
    INSERT INTO records VALUES ('bindings', 'a', '{"value":2}', ${Date.now() + 60_000});
    INSERT INTO records VALUES ('bindings', 'b', '{"value":3}', ${Date.now() - 1});
    PRAGMA user_version = 1`)
  database.close()
  await using opened = await disposable(directory.path)
  expect(await opened.store.records('keys', { listed: true }).list()).toEqual([
    { id: 'a', value: 1 },
  ])
  const bindings = opened.store.records<number>('bindings')
  expect(await bindings.getMany(['a', 'b'])).toEqual([2, undefined])
})

describe('a store that cannot tell', () => {
  test('a file that is no database', async () => {
    await using directory = await temporaryDirectory()
    await writeFile(join(directory.path, 'store.sqlite'), 'something else entirely\n'.repeat(500))
    const opening = openIn(directory.path)
    await expect(opening).rejects.toThrow(StoreUnavailable)
    await expect(opening).rejects.toThrow(/store\.sqlite cannot be opened: .*not a database/)
  })

  test('a database that is damaged while it is in use', async () => {
    await using directory = await temporaryDirectory()
    const first = await openIn(directory.path)
    const filler = 'x'.repeat(2000)
    for (let index = 0; index < 50; index += 1) {
      await first.records<string>('things').set(`id-${index}`, filler)
    }
    await first.close()
    await using opened = await disposable(directory.path)
    await truncate(join(directory.path, 'store.sqlite'), 8192)
    await expect(opened.store.records('things', { listed: true }).list()).rejects.toThrow(
      StoreUnavailable,
    )
  })

  test('a record that is no JSON', async () => {
    await using directory = await temporaryDirectory()
    await using opened = await disposable(directory.path)
    const records = opened.store.records<number>('things', { listed: true })
    await records.set('a', 1)
    const database = new DatabaseSync(join(directory.path, 'store.sqlite'))
    database.exec(`UPDATE records_things SET envelope = '{"value":'`)
    database.close()
    await expect(records.get('a')).rejects.toThrow(StoreUnavailable)
    expect(await records.list()).toEqual([{ id: 'a', value: undefined }])
    expect(await records.getMany(['a'])).toEqual([undefined])
    expect(await records.scan()).toEqual({ records: [], examined: 1 })
  })

  test('a directory that cannot be made', async () => {
    await using directory = await temporaryDirectory()
    await writeFile(join(directory.path, 'file'), '')
    const opening = openStore('file:file/store', { cwd: directory.path })
    await expect(opening).rejects.toThrow(StoreUnavailable)
    await expect(opening).rejects.toThrow(/file\/store cannot be created: a file is in the way/)
  })

  test('a store of a later version', async () => {
    await using directory = await temporaryDirectory()
    await (await openIn(directory.path)).close()
    const database = new DatabaseSync(join(directory.path, 'store.sqlite'))
    database.exec('PRAGMA user_version = 99')
    database.close()
    await expect(openIn(directory.path)).rejects.toThrow(/written by a later version/)
  })
})

test('another URL is refused', async () => {
  for (const url of ['redis://', 'file:', 'memory', '']) {
    await expect(openStore(url, { cwd: '/' })).rejects.toThrow(TypeError)
  }
})
