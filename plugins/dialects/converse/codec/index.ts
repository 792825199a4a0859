import type { AccountCodec } from '../../../../src/contract/codec.ts'
import { exceedsContext } from '../../../../src/kit/codec/failure.ts'
import { ConverseDecoder } from './decode-reply/decode-events.ts'
import { decodeResult } from './decode-reply/decode-result.ts'
import { encodeRequest } from './encode-request/encode-request.ts'
import { converseFeatures } from './features.ts'

/** Translates requests to the Converse API, and its replies to the neutral model. */
export const converseCodec: AccountCodec = {
  ...converseFeatures,
  exceedsContext,
  encodeRequest,
  decodeResult,
  decodeEvents: (request, emit) => new ConverseDecoder(request, emit),
}
