import { expect, test } from 'vitest'

import { done, operationStage, order } from './stage.ts'

/** Each version that Google's SDKs can be told to speak. */
const versions = ['v1', 'v1beta', 'v1alpha', 'v1beta1']

test('a video of an operation is a file under every version', async () => {
  await using stage = await operationStage()
  const { response } = await done(stage, await order(stage, 'sandbox/polls=0'))
  const [name] = /files\/\w+/.exec(response?.generatedVideos[0]?.uri ?? '') ?? []
  for (const version of versions) {
    const file = await stage.ask(`/${version}/${name}`)
    expect([version, file.status, await file.json()]).toMatchObject([version, 200, { name }])
    for (const query of [`${name}:download?alt=media`, `${name}?alt=media`]) {
      const content = await stage.ask(`/${version}/${query}`)
      expect([query, content.status]).toEqual([query, 200])
      expect((await content.text()).slice(4, 8)).toBe('ftyp')
    }
  }
})

test('what else lies beside the files is none of them', async () => {
  await using stage = await operationStage()
  const codeOf = async (path: string) => {
    const response = await stage.ask(path)
    const { error } = (await response.json()) as { error: { message: string } }
    return [response.status, response.headers.get('allow'), error.message]
  }
  expect(await codeOf('/v1/files/upload_url')).toEqual([405, 'POST', expect.stringMatching(/POST/)])
  for (const path of ['stored', 'stored:download', 'stored%2Flocal%2Fx%2Fy', 'file-abc']) {
    const told = await codeOf(`/v1/files/${path}`)
    expect(told).toEqual([404, null, expect.not.stringMatching('File not found')])
  }
  const unsigned = await codeOf('/v1/files/stored/local/0mwqj05l9fgc9nof28ckl1y1iyz0x0/cat.png')
  expect(unsigned).toEqual([403, null, expect.stringMatching(/signature/)])
})
