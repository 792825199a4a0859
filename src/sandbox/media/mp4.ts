import { inflateRawSync } from 'node:zlib'

/** The settings of a video. Width and height are in pixels. */
export interface Scene {
  readonly prompt: string
  readonly width: number
  readonly height: number
  readonly seconds: number
}

/** An MP4 with its index in front: one frame of 16 x 16 pixels in H.264, deflated. */
const oneFrame =
  '5VGxTsMwEH0OiImhQ4cMRc3AwFrEiAQqCztiY3Hjpoka11XOWJSpEgghlkp8ATs/0YG5YmbjG/iAgNNA0xAQUkee' +
  'fPL57t07nw3AC/RoGJGSgAO7R6R2ufFbcrjXApyeVMoAiKUJBZbhZsZg1wKsxCqdD/ErHIC96YT3AZzpftZzrULN' +
  '/Vb5l7613MAmUkQcgCdF9VynT5m/E4o4+UyYSHSLROID0VEXVu9ARoMAQN3ITK/YfVvMcw2RdIPC7TbPk9jL/ZR0' +
  'J/6Y9Yo0iQKH7F/8MKGdpYZjILNqRhlumgLY4sY/Yu1pM33FRq89bb6MGNbD2f7YUkhrKgiy/EnqpKkcb5AmvxT7' +
  'qiFNl8sfwu7mOr5axJwJwO6l4BpgN93b64fnk3+OxxXBV8T4HQ=='

/** The places of the duration in the file, in units of 1/24 s. */
const durations = [64, 184, 280, 551]
/** The place of the width and the height at which players show the frame, as 16.16 fixed-point numbers. */
const displaySize = 240

/** Encodes a video as an MP4 that can be played while it arrives, at least `atLeast` bytes long. */
export function encodeMp4({ width, height, seconds }: Omit<Scene, 'prompt'>, atLeast = 0): Buffer {
  const file = inflateRawSync(Buffer.from(oneFrame, 'base64'))
  for (const at of durations) file.writeUInt32BE(seconds * 24, at)
  file.writeUInt32BE(width * 0x1_0000, displaySize)
  file.writeUInt32BE(height * 0x1_0000, displaySize + 4)
  const missing = atLeast - file.length
  if (missing <= 0) return file
  const free = Buffer.alloc(Math.max(8, missing))
  free.writeUInt32BE(free.length)
  free.write('free', 4)
  return Buffer.concat([file, free])
}
