import type { GenerateCodec } from '../../../../src/contract/codec.ts'
import { exceedsContext } from '../../../../src/kit/codec/failure.ts'
import { ChatEventDecoder } from './decode-reply/decode-events.ts'
import { decodeRequest } from './decode-request/decode-request.ts'
import { decodeResult } from './decode-reply/decode-result.ts'
import { ChatEventEncoder } from './encode-reply/encode-events.ts'
import { encodeRequest } from './encode-request/encode-request.ts'
import { encodeResult } from './encode-reply/encode-result.ts'
import { chatFeatures } from './features.ts'
import { hasDetails } from './signatures.ts'

/** Translates between the Chat Completions API and the neutral model. */
export const chatCodec: GenerateCodec = {
  forgetsSignatures: true,
  exceedsContext,
  bindsToServer: hasDetails,
  ...chatFeatures,
  decodeRequest,
  encodeRequest,
  decodeResult: (reply, request) => decodeResult(reply, request),
  encodeResult,
  decodeEvents: (request, emit) => new ChatEventDecoder(request, emit),
  forAccount: ({ thinksInText }) => (thinksInText ? thinkingInText : undefined),
  encodeEvents: (context, write) => new ChatEventEncoder(context, write),
}

/** For accounts whose answers have the thoughts of the model in their texts. */
const thinkingInText: GenerateCodec = {
  ...chatCodec,
  decodeResult: (reply, request) => decodeResult(reply, request, true),
  decodeEvents: (request, emit) => new ChatEventDecoder(request, emit, true),
}
