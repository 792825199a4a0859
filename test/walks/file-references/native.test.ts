import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { startService } from '../../uploads/service.ts'
import { ask, type DialectName, dialects, pdf, png, upload } from './stage.ts'

const [image, document] = [png.toString('base64'), pdf.toString('base64')]

/** What a client writes of a file by its path, and what the account reads instead. */
const cases: [DialectName, bytes: Buffer, written: string, read: string][] = [
  [
    'chat',
    png,
    '{"model":"m", "n": 1e0,"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"detail":"low", "url": "PATH" }}]}],"x":12345678901234567890}',
    `{"model":"m", "n": 1e0,"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"detail":"low", "url":"data:image/png;base64,${image}" }}]}],"x":12345678901234567890}`,
  ],
  [
    'chat',
    pdf,
    '{"model":"m","messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"PATH"}}]}]}',
    `{"model":"m","messages":[{"role":"user","content":[{"type":"file","file":{"file_data":"data:application/pdf;base64,${document}","filename":"it"}}]}]}`,
  ],
  [
    'responses',
    png,
    '{"model":"m","input":[{"role":"user","content":[{"type":"input_image","image_url":"PATH","detail":"auto"}]}]}',
    `{"model":"m","input":[{"role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,${image}","detail":"auto"}]}]}`,
  ],
  [
    'responses',
    pdf,
    '{"model":"m","input":[{"type":"function_call_output","call_id":"c","output":[{"type":"input_file","filename":"a.pdf","file_url":"PATH"}]}]}',
    `{"model":"m","input":[{"type":"function_call_output","call_id":"c","output":[{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,${document}"}]}]}`,
  ],
  [
    'messages',
    png,
    '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"image","source":{"type":"url","url":"PATH"}}]}]}]}',
    `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${image}"}}]}]}]}`,
  ],
  [
    'messages',
    Buffer.from('Grüße\n"you"'),
    '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"document","title":"t","source":{"type":"url","url":"PATH"}}]}]}',
    '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"document","title":"t","source":{"type":"text","media_type":"text/plain","data":"Grüße\\n\\"you\\""}}]}]}',
  ],
  [
    'generate',
    png,
    '{"contents":[{"parts":[{"fileData":{"fileUri":"PATH"}, "thought": false}]}]}',
    `{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"${image}"}, "thought": false}]}]}`,
  ],
  [
    'generate',
    Buffer.from('a film'),
    '{"contents":[{"parts":[{"file_data":{"mime_type":"video/mp4","file_uri":"PATH"}}]}]}',
    `{"contents":[{"parts":[{"inlineData":{"mimeType":"video/mp4","data":"${Buffer.from('a film').toString('base64')}"}}]}]}`,
  ],
]

test.each(cases)(
  'an account that speaks %s gets a file of %o in place of its path, and else the same bytes',
  async (name, bytes, written, read) => {
    const { path, provider, base } = dialects[name]
    await using account = await startFakeAccount(answerJson({}))
    await using service = await startService({
      accounts: [{ id: 'a', provider, speaks: [name], baseUrl: account.url + base, models: ['m'] }],
    })
    const isText = bytes.includes('you')
    const uploaded = await upload(service, isText ? 'it.txt' : 'it', bytes)
    // Some languages escape every slash.
    for (const spelled of [uploaded, uploaded.replaceAll('/', '\\/')]) {
      await (await ask(service, { path }, written.replace('PATH', spelled))).text()
      expect(account.requests.at(-1)?.body.toString()).toBe(read)
    }
    const [line] = await service.gateway.logged(2)
    expect(line).toMatchObject({ route: expect.any(String) })
  },
)
