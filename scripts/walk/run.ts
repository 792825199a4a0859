import { executedBy } from './executed.ts'
import { type StoryName, startStory, storyNames } from './stories.ts'

// `npm run walk -- STORY`: the files and functions that one warm call executes, in order of first use. Without a story
// it prints the counts of all.
const [name] = process.argv.slice(2)
if (name === undefined)
  for (const each of storyNames) console.log((await walk(each, false)).summary)
else if (isStory(name)) await print(name)
else {
  console.error(`No story is named ${name}. The stories: ${storyNames.join(', ')}`)
  process.exitCode = 1
}

function isStory(text: string): text is StoryName {
  return storyNames.some((each) => each === text)
}

async function print(story: StoryName): Promise<void> {
  const { files, summary } = await walk(story, true)
  for (const [file, called] of files) console.log(`${file}\n    ${called.join('  ')}`)
  console.log(`\n${summary}`)
}

async function walk(name: StoryName, isOrdered: boolean) {
  await using story = await startStory(name)
  const functions = await executedBy(story, isOrdered)
  const files = new Map<string, string[]>()
  for (const { file, name: called, line } of functions) {
    const list = files.get(file) ?? []
    list.push(`${called}:${line}`)
    files.set(file, list)
  }
  return { files, summary: `${name}: ${files.size} files, ${functions.length} functions` }
}
