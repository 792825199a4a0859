import { deployments } from './places.ts'
import { operatorStories } from './story.ts'

operatorStories([deployments.redis, deployments.workers])
