import {
  defined,
  type EncodedRequest,
  type GenerateRequest,
  type RecordLoss,
  settingField,
} from '../../../../../src/dialect-kit/index.ts'
import { encodeHelpers } from './encode-helpers.ts'
import { encodeLines } from './encode-lines.ts'

const highestPitch = 1

/**
 * The request to an account. The features that the codec does not support are left out or have been declined;
 * a setting that every dialect but this one knows is dropped here.
 */
export function encodeRequest(
  request: GenerateRequest,
  voice: string,
  drop: RecordLoss,
): EncodedRequest {
  const { temperature, topP } = request.sampling
  if (topP !== undefined) {
    drop(settingField(request, 'top_p'), 'the Shout API has no top-p sampling')
  }
  return {
    path: '/shout/v1/say',
    body: {
      voice,
      words: encodeLines(request, drop),
      ...encodeHelpers(request),
      ...defined({
        pitch: temperature === undefined ? undefined : Math.min(temperature, highestPitch),
        limit: request.maxOutputTokens,
      }),
      ...(request.stream && { loud: true }),
    },
  }
}
