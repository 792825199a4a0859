import { type Answer, answerJson } from '../../../src/testing/fake-account.ts'
import type { AccountKind } from '../stage.ts'

/** It takes every order, and every video is completed at the first look. */
const makeVideo: Answer = (response, request) => {
  const status = request.method === 'POST' ? 'queued' : 'completed'
  return answerJson({ id: 'vid_1', object: 'video', status })(response, request)
}

/** It takes every order, and every operation is done at the first look. */
const makeOperation: Answer = (response, request) => {
  const name = 'models/m/operations/1'
  const generatedSamples = [{ video: { uri: 'files/one', encoding: 'video/mp4' } }]
  const done = { done: true, response: { generateVideoResponse: { generatedSamples } } }
  const told = request.method === 'POST' ? { name } : { name, ...done }
  return answerJson(told)(response, request)
}

const drawImage: Answer = answerJson({ created: 1_700_000_000, data: [{ b64_json: 'AAAA' }] })

/** Accounts of each video dialect; they take every order. */
export const videoAccounts: readonly AccountKind[] = [
  { dialect: 'videos', provider: 'openai', answer: makeVideo },
  { dialect: 'video-operations', provider: 'gemini', answer: makeOperation },
]

/** The accounts that draw. */
export const imageAccounts: readonly AccountKind[] = [
  { dialect: 'images', provider: 'openai', answer: drawImage },
]
