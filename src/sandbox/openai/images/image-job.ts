import { type JsonObject, numberOf, textOf } from '../../json.ts'
import { encodeJpeg } from '../../media/jpeg.ts'
import { paintPicture } from '../../media/picture.ts'
import { encodePng } from '../../media/png.ts'
import { encodeWebp } from '../../media/webp.ts'
import { countTokens } from '../../text/words.ts'
import { badRequest } from '../../problem.ts'

/** What a checked request for images wants, with the defaults in place. */
export type ImageJob = {
  prompt: string
  count: number
  size: string
  format: 'png' | 'jpeg' | 'webp'
  quality: string
  background: 'transparent' | 'opaque'
  /** How many pictures in the making a stream shows. */
  partial: number
  /** How many images the request brought along. */
  given: number
}

/** Throws if the background and the format do not go together. */
export function readImageJob(body: JsonObject, given: number): ImageJob {
  const format = formatOf(textOf(body['output_format']))
  const background = body['background'] === 'transparent' ? 'transparent' : 'opaque'
  if (background === 'transparent' && format === 'jpeg')
    throw badRequest(
      "Transparent background is not supported for output format 'jpeg'.",
      'background',
      'invalid_value',
    )
  if ((numberOf(body['output_compression']) ?? 100) < 100 && format === 'png')
    throw badRequest(
      'Compression less than 100 is not supported for PNG output format.',
      'output_compression',
      'invalid_value',
    )
  return {
    prompt: textOf(body['prompt']),
    count: numberOf(body['n']) ?? 1,
    size: known(body['size'], '1024x1024'),
    format,
    quality: known(body['quality'], 'medium'),
    background,
    partial: numberOf(body['partial_images']) ?? 0,
    given,
  }
}

function known(value: unknown, whenAutomatic: string): string {
  return typeof value === 'string' && value !== 'auto' ? value : whenAutomatic
}

function formatOf(name: string): ImageJob['format'] {
  return name === 'jpeg' || name === 'webp' ? name : 'png'
}

const encoders = { png: encodePng, jpeg: encodeJpeg, webp: encodeWebp }

/** The images of a job. Each has its own colours, and a mere draft of one has others again. */
export function drawImages(job: ImageJob, draft?: number): Buffer[] {
  const [width = 0, height = 0] = job.size.split('x').map(Number)
  const transparent = job.background === 'transparent'
  return Array.from({ length: draft === undefined ? job.count : 1 }, (_, index) => {
    const title = [job.prompt, index, draft ?? 'final'].join('/')
    return encoders[job.format](paintPicture(title, width, height, { transparent }))
  })
}

const tokensByQuality: Record<string, number> = { low: 272, medium: 1056, high: 4160 }
const tokensPerGivenImage = 194

/** The usage of a job, as GPT image models tell it. */
export function imageUsage({ prompt, given, count, quality }: ImageJob): JsonObject {
  const textTokens = countTokens(prompt)
  const imageTokens = given * tokensPerGivenImage
  const output = count * (tokensByQuality[quality] ?? 4160)
  return {
    input_tokens: textTokens + imageTokens,
    input_tokens_details: { image_tokens: imageTokens, text_tokens: textTokens },
    output_tokens: output,
    output_tokens_details: { image_tokens: output, text_tokens: 0 },
    total_tokens: textTokens + imageTokens + output,
  }
}
