import { ApiOptions, pollInterval } from '../api-options';
import { LanguageModelOptions } from '../language-model/language-model';

const BASE_URL = 'https://generativelanguage.googleapis.com/v1beta';

export class GeminiOptions extends ApiOptions {
  override baseUrl = BASE_URL;
  @pollInterval pollMs = 10_000;
}

export class GeminiModelOptions extends LanguageModelOptions {
  override baseUrl = BASE_URL;
}
