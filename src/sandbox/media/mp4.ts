import type { Colour } from './picture.ts'
import { type H264Coding, describeCoding, encodeKeyFrame, encodeRepeatFrame } from './h264.ts'

/** A video of the sandbox: the bars of a picture, which move by one place each second. */
type VideoClip = { width: number; height: number; seconds: number; bars: readonly Colour[] }

const framesPerSecond = 24
const ticksPerSecond = 24_000

/** Encodes a video as an MP4 that can be played while it arrives, at least `atLeast` bytes long. */
export function encodeMp4(clip: VideoClip, atLeast = 0): Buffer {
  const frames = framesOf(clip)
  const data = box('mdat', ...frames)
  const type = box('ftyp', text('isom'), u32(0x200), text('isomiso2avc1mp41'))
  // The frames begin behind the index, whose size does not depend on their position.
  const start = type.length + index(clip, frames, 0).length + 8
  const whole = Buffer.concat([type, index(clip, frames, start), data])
  const missing = atLeast - whole.length
  return missing > 0 ? Buffer.concat([whole, box('free', Buffer.alloc(missing))]) : whole
}

function framesOf({ width, height, seconds, bars }: VideoClip): Buffer[] {
  const repeats = Array.from({ length: framesPerSecond - 1 }, (_, at) =>
    lengthPrefixed(encodeRepeatFrame(width, height, at + 1)),
  )
  return Array.from({ length: seconds }, (_, second) => {
    const moved = [...bars.slice(second % bars.length), ...bars.slice(0, second % bars.length)]
    return [lengthPrefixed(encodeKeyFrame(width, height, moved, second)), ...repeats]
  }).flat()
}

function index(clip: VideoClip, frames: Buffer[], start: number): Buffer {
  const { width, height, seconds } = clip
  const duration = u32(seconds * ticksPerSecond)
  return box(
    'moov',
    fullBox('mvhd', zeros(8), u32(ticksPerSecond), duration, rates, matrix, zeros(24), u32(2)),
    box(
      'trak',
      enabledBox('tkhd', zeros(8), u32(1), zeros(4), duration, zeros(16), matrix, size(clip)),
      box(
        'mdia',
        fullBox('mdhd', zeros(8), u32(ticksPerSecond), duration, undetermined),
        fullBox('hdlr', zeros(4), text('vide'), zeros(12), text('sandbox\0')),
        box(
          'minf',
          enabledBox('vmhd', zeros(8)),
          box('dinf', fullBox('dref', u32(1), enabledBox('url '))),
          sampleTable(describeCoding(width, height), clip, frames, start),
        ),
      ),
    ),
  )
}

function sampleTable(coding: H264Coding, clip: VideoClip, frames: Buffer[], start: number): Buffer {
  const { seconds } = clip
  const keyFrames = Array.from({ length: seconds }, (_, at) => u32(at * framesPerSecond + 1))
  return box(
    'stbl',
    fullBox('stsd', u32(1), sampleEntry(coding, clip)),
    fullBox('stts', u32(1), u32(frames.length), u32(ticksPerSecond / framesPerSecond)),
    fullBox('stss', u32(seconds), ...keyFrames),
    fullBox('stsc', u32(1), u32(1), u32(frames.length), u32(1)),
    fullBox('stsz', u32(0), u32(frames.length), ...frames.map(({ length }) => u32(length))),
    fullBox('stco', u32(1), u32(start)),
  )
}

function sampleEntry({ sequence, picture, level }: H264Coding, clip: VideoClip): Buffer {
  const pixels = Buffer.concat([u16(clip.width), u16(clip.height)])
  const resolution = u32(0x48_0000)
  return box(
    'avc1',
    zeros(6),
    u16(1),
    zeros(16),
    pixels,
    resolution,
    resolution,
    zeros(4),
    u16(1),
    zeros(32),
    u16(24),
    u16(0xffff),
    box(
      'avcC',
      Buffer.from([1, 66, 0b1100_0000, level, 0xff, 0xe1]),
      u16(sequence.length),
      sequence,
      Buffer.from([1]),
      u16(picture.length),
      picture,
    ),
  )
}

const rates = Buffer.concat([u32(0x1_0000), u16(0x100), zeros(10)])
const matrix = Buffer.concat([0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000].map(u32))
const undetermined = Buffer.concat([u16(0x55c4), zeros(2)])

function size({ width, height }: VideoClip): Buffer {
  return Buffer.concat([u32(width * 0x1_0000), u32(height * 0x1_0000)])
}

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length + 8), text(type), body])
}

// A box with a version and no flags.
function fullBox(type: string, ...parts: Buffer[]): Buffer {
  return box(type, u32(0), ...parts)
}

// A box with the flags that enable a track, its media header or its data reference.
function enabledBox(type: string, ...parts: Buffer[]): Buffer {
  return box(type, u32(type === 'tkhd' ? 3 : 1), ...parts)
}

function lengthPrefixed(unit: Buffer): Buffer {
  return Buffer.concat([u32(unit.length), unit])
}

function text(value: string): Buffer {
  return Buffer.from(value, 'latin1')
}

function zeros(count: number): Buffer {
  return Buffer.alloc(count)
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
