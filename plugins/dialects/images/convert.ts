import type { ClientConverter } from '../../../src/contract/conversion.ts'
import { refused } from '../../../src/kit/codec/read.ts'
import { stringAt, numberAt } from '../../../src/lib/json/read.ts'
import type { Drawing, DrawingRequest } from '../../../src/media/drawing.ts'

/** Members that accounts of other dialects get, or whose value says what they do anyway. */
const known: ReadonlySet<string> = new Set([
  'background',
  'model',
  'n',
  'output_format',
  'prompt',
  'response_format',
  'size',
  'stream',
  'svg',
  // A hint that no client misses.
  'user',
])

/** Settings whose value `auto` sets nothing. */
const automatic: ReadonlySet<string> = new Set(['moderation', 'quality'])

/** Serves generations with accounts of other dialects, which draw one image a request and choose its format. */
export const imagesConverter: ClientConverter<DrawingRequest, Drawing> = {
  decodeRequest(body) {
    if (body.stream === true) throw refused('The account draws no streams.', 'stream')
    if (body.response_format === 'url')
      throw refused('The account has no URLs of images.', 'response_format')
    if (body.background === 'transparent')
      throw refused('The account draws no transparent images.', 'background')
    const format = stringAt(body, 'output_format') ?? 'png'
    if (format !== 'png') throw refused('The account draws PNG alone.', 'output_format')
    if (typeof body.svg === 'object') throw refused('The account draws no SVG.', 'svg')
    const size = stringAt(body, 'size')
    return {
      prompt: stringAt(body, 'prompt') ?? '',
      count: numberAt(body, 'n') ?? 1,
      ...(size !== undefined && size !== 'auto' && { size }),
      further: Object.keys(body).filter((name) => {
        const value = body[name] ?? undefined
        return value !== undefined && !known.has(name) && !(automatic.has(name) && value === 'auto')
      }),
    }
  },
  encodeReply({ result, usage }) {
    const { images } = result
    const { inputTokens: input, outputTokens: output } = usage ?? {}
    const format = images[0]?.mediaType.replace('image/', '')
    return {
      created: Math.floor(Date.now() / 1_000),
      data: images.map(({ base64 }) => ({ b64_json: base64 })),
      ...(format !== undefined && { output_format: format }),
      ...(input !== undefined &&
        output !== undefined && {
          usage: {
            input_tokens: input,
            input_tokens_details: { image_tokens: 0, text_tokens: input },
            output_tokens: output,
            total_tokens: input + output,
          },
        }),
    }
  },
}
