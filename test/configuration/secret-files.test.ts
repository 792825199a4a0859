import { execFileSync } from 'node:child_process'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { checkConfiguration } from '../../src/configuration/resolve.ts'
import { hashSecret } from '../../src/stores/key-secret.ts'
import { temporaryDirectory } from '../stores/temporary.ts'

const canary = 'canary-secret-0123456789'

function check(apiKey: string) {
  const config = { accounts: [{ id: 'a', provider: 'openai', models: ['m'], apiKey }] }
  const { settings, problems } = checkConfiguration(config, { env: {} })
  return { apiKey: settings.accounts[0]?.apiKey, problems }
}

test('a file has a secret, with or without one line break at its end', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'secret')
  for (const ending of ['', '\n', '\r\n']) {
    await writeFile(file, canary + ending)
    expect(check(`file:${file}`)).toEqual({ apiKey: canary, problems: [] })
  }
  const link = join(directory.path, 'link')
  await symlink(file, link)
  expect(check(`file:${link}`).apiKey).toBe(canary)
})

test('keys and storages take files too', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'secret')
  await writeFile(file, `${canary}\n`)
  const secret = `file:${file}`
  const storage = { bucket: 'b', region: 'us-east-1', accessKeyId: secret, secretAccessKey: secret }
  const { settings, problems } = checkConfiguration(
    {
      keys: [{ id: 'k', secret }],
      uploads: { secret, storages: { s3: storage } },
    },
    { env: {} },
  )
  expect(problems).toEqual([])
  expect(settings.keys[0]?.hash).toBe(hashSecret(canary))
  expect(settings.uploads.secret).toBe(canary)
  expect(settings.uploads.storages[0]).toMatchObject({ secretAccessKey: canary })
})

test('a file that cannot be a secret is a problem, which repeats nothing of it', async () => {
  await using directory = await temporaryDirectory()
  const place = (name: string) => join(directory.path, name)
  await mkdir(place('directory'))
  await writeFile(place('empty'), '\n')
  await writeFile(place('two-lines'), `${canary}\n${canary}\n`)
  await writeFile(place('two-breaks'), `${canary}\n\n`)
  await writeFile(place('large'), canary.repeat(3_000))
  await writeFile(place('binary'), Buffer.from([0xff, 0xfe, 0x00]))
  execFileSync('mkfifo', [place('pipe')])
  const messages = {
    [place('missing')]: 'does not exist',
    [place('directory')]: 'is a directory',
    [place('pipe')]: 'is not a regular file',
    '/dev/zero': 'is not a regular file',
    [place('empty')]: 'is empty',
    [place('large')]: 'has more than 65536 bytes',
    [place('two-lines')]: 'contains spaces, line breaks',
    [place('two-breaks')]: 'contains spaces, line breaks',
    [place('binary')]: 'characters beyond ASCII',
    [`${place('empty')}/below`]: 'cannot be read (ENOTDIR)',
    [place('a\0b')]: 'cannot be read',
    [`relative-${canary}`]: 'not followed by an absolute path',
    '': 'not followed by an absolute path',
  }
  for (const [file, message] of Object.entries(messages)) {
    const { apiKey, problems } = check(`file:${file}`)
    expect({ file, apiKey, paths: problems.map(({ path }) => path) }).toEqual({
      file,
      apiKey: undefined,
      paths: ['accounts[0].apiKey'],
    })
    expect(problems[0]!.message).toContain(message)
    expect(JSON.stringify(problems)).not.toContain(canary)
  }
})

test.skipIf(process.getuid?.() === 0)('a file without permission is a problem', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'secret')
  await writeFile(file, canary)
  await chmod(file, 0)
  expect(check(`file:${file}`).problems[0]?.message).toContain('may not be read by this user')
})
