/**
 * Loaded into the gateway's process before it starts. Reports to the process that started it the longest
 * stall of the event loop since the report before, in milliseconds: the processor time that the main
 * thread took between two timers, so that other programs of the machine do not count.
 */
const everyMs = 5
let before = usedMs()
let longest = 0

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

setInterval(() => {
  const now = usedMs()
  longest = Math.max(longest, now - before)
  before = now
}, everyMs).unref()

process.on('message', () => {
  process.send?.(longest)
  longest = 0
})
// The channel alone does not keep the gateway alive.
process.channel?.unref()
// A run that is cut off leaves no gateway behind.
process.on('disconnect', () => process.exit())
