import { heavyRows } from '../../daily-rows.ts'
import { describeImageReplies } from './image-replies.ts'

describeImageReplies(heavyRows)
