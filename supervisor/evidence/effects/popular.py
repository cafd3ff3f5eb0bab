"""The popular package whose name is one typing error away from another name (typosquatting).

The popular names are those that most projects depend on; `_HONEST` are real packages with a name close to one of them.
A name in neither list that is one edit away from a popular name is far more often than not an error or a trap.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from supervisor.evidence.urls.look_alike import edits

_PYPI = """
absl-py aiobotocore aiofiles aiohttp aioredis aiosignal alembic altair annotated-types anthropic anyio
apache-airflow argcomplete asgiref asttokens async-timeout asyncpg attrs awscli azure-core azure-identity
babel backoff bcrypt beautifulsoup4 black bleach bokeh boto3 botocore cachetools celery certifi cffi chardet
charset-normalizer click cloudpickle colorama coloredlogs coverage cryptography cycler cython dask
databricks-sdk dataclasses-json datasets decorator defusedxml deprecated discord.py distlib distributed django
django-cors-headers django-filter djangorestframework dnspython docker docutils duckdb elasticsearch
email-validator et-xmlfile exceptiongroup execnet faker fastapi fastjsonschema filelock flake8 flask
flask-cors flask-login flask-sqlalchemy fonttools frozenlist fsspec gensim gevent gitpython google-api-core
google-auth google-cloud-bigquery google-cloud-storage googleapis-common-protos greenlet grpcio grpcio-tools
gunicorn html5lib httpcore httplib2 httptools httpx huggingface-hub hypothesis identify idna imageio
importlib-metadata importlib-resources iniconfig ipykernel ipython ipywidgets isodate isort itsdangerous jedi
jinja2 jmespath joblib jsonpatch jsonpointer jsonschema jupyter jupyter-client jupyter-core jupyterlab keras
keyring kiwisolver kubernetes langchain langchain-core langgraph librosa lightgbm litellm llama-index loguru
lxml mako markdown markdown-it-py markupsafe marshmallow matplotlib matplotlib-inline mistune mlflow
more-itertools moto mpmath msal msgpack multidict mypy mypy-extensions mysql-connector-python mysqlclient
nbconvert nbformat nest-asyncio networkx nltk notebook numba numpy oauthlib openai opencv-python openpyxl
opentelemetry-api opentelemetry-sdk orjson oscrypto packaging pandas paramiko parso passlib pathspec pendulum
pexpect pillow pip-tools pipenv platformdirs playwright plotly pluggy poetry poetry-core polars portalocker
pre-commit prometheus-client prompt-toolkit propcache proto-plus protobuf psutil psycopg psycopg2
psycopg2-binary ptyprocess pyarrow pyasn1 pyasn1-modules pycodestyle pycparser pycryptodome pycryptodomex
pydantic pydantic-core pydantic-settings pyflakes pygame pygments pyinstaller pyjwt pylint pymongo pymysql
pynacl pyodbc pyopenssl pyparsing pyperclip pyqt5 pyrsistent pyserial pysocks pyspark pytesseract pytest
pytest-asyncio pytest-cov pytest-django pytest-mock pytest-xdist python-dateutil python-dotenv python-jose
python-multipart pytorch-lightning pytz pywin32 pyyaml pyzmq rapidfuzz redis referencing regex requests
requests-oauthlib requests-toolbelt responses rich rpds-py ruamel.yaml s3fs s3transfer sacremoses safetensors
scikit-image scikit-learn scipy scrapy seaborn selenium sentencepiece sentence-transformers sentry-sdk
setuptools shapely simplejson six slack-sdk smmap sniffio snowflake-connector-python sortedcontainers
soupsieve sphinx sqlalchemy sqlparse starlette statsmodels streamlit structlog sympy tabulate tenacity
tensorboard tensorflow termcolor threadpoolctl tiktoken tokenizers toml tomli tomlkit toolz torch torchaudio
torchvision tornado tqdm traitlets transformers trio twine twisted typer types-requests typing-extensions
typing-inspect tzdata tzlocal ujson urllib3 uvicorn uvloop virtualenv watchdog watchfiles wcwidth
websocket-client websockets werkzeug wheel wrapt xgboost xlrd xlsxwriter xmltodict yarl zipp
"""
_NPM = """
acorn ajv angular ansi-regex ansi-styles apollo-client apollo-server async autoprefixer aws-sdk axios
babel-core babel-eslint babel-loader balanced-match bcrypt bcryptjs bluebird body-parser bootstrap
brace-expansion braces browserify browserslist buffer chai chalk cheerio chokidar classnames clean-css
cli-table colors combined-stream commander compression concurrently cookie cookie-parser core-js cors
coffee-script create-react-app cross-env cross-spawn css-loader cypress dateformat date-fns dayjs debug
discord.js dotenv ejs electron electron-builder enzyme esbuild eslint eslint-config-airbnb
eslint-config-prettier eslint-plugin-import eslint-plugin-react ethers event-stream eventemitter3 execa
express express-session fast-deep-equal fastify file-loader follow-redirects form-data formidable fs-extra
glob graceful-fs graphql grunt gulp handlebars helmet html-webpack-plugin http-proxy http-proxy-middleware
husky iconv-lite immer immutable inherits inquirer ioredis isarray jasmine jest jquery js-yaml jsdom json5
jsonwebtoken karma knex koa left-pad less lint-staged lodash lru-cache mariadb marked material-ui md5
micromatch mime minimatch minimist mkdirp mobx mocha moment mongodb mongoose morgan multer mysql mysql2 nanoid
nestjs next node-fetch node-sass nodemailer nodemon npm nuxt object-assign openai parcel passport
path-to-regexp playwright pm2 postcss postcss-loader preact prettier prisma prompts prop-types protobufjs
puppeteer query-string react react-dom react-native react-redux react-router react-router-dom react-scripts
readable-stream redux redux-saga redux-thunk request resolve rimraf rollup rxjs safe-buffer sass sass-loader
semver sequelize serve sharp shelljs sinon socket.io socket.io-client source-map stripe style-loader
styled-components superagent supertest supports-color svelte tailwindcss terser three through2 ts-jest
ts-loader ts-node tslib turbo typeorm typescript ua-parser-js uglify-js underscore url-loader uuid validator
vite vitest vue vue-router vuex webpack webpack-cli webpack-dev-server winston yargs yarn zod zustand
"""
_HONEST = {
    "pypi": """
        aiofile aiomysql anyio attr boto bottle bs4 cachelib cattrs celer cliff colorlog colour dash dataset
        discord docker-py dockerpty fabric fire flasgger flask-wtf flax gym httpie jax jaxlib jinja kornia
        lark livy mlxtend mock mpi4py msgspec mypyc mysql-connector mysql-python netcdf4 nose numexpr numpydoc
        oauth2client panda panel pandera parse parsel patsy peewee pipx plotnine polar psycopg-binary pwntools
        py pycairo pycrypto pycurl pydot pygame-ce pyqt6 pyre pyside6 ray requests-cache requests-mock
        responder rich-click ruff sanic slack slacker starlite stripe tables tablib tabula tomli-w
        torchmetrics torchtext torchx toolbox trl twint typed-ast vllm wandb web3 websocket wraps wtforms yapf
        zarr
    """,
    "npm": """
        arg async-lock buffers color colord cookiejar cookies dotenvx ether extend globby got hapi hbs inherit
        jade json jsonld koa-router lodash-es lodash.get marko mime-types minify mixin mock mockery mongojs
        mssql nano next-auth nock nuxi nuxt3 optimist pino prompt pump qs query ready redis request-promise
        sails server swr tape through tslint uuid4 vitepress vuetify ws
    """,
}
_LEAST = 5  # letters; shorter names are close to too many others


def imitated_package(name: str, ecosystem: str) -> str | None:
    """The popular package that a name is one slip away from: a letter inserted, deleted, replaced or swapped, or the
    hyphens left out. None for popular and other known names, short names, and all ecosystems but `pypi` and `npm`."""
    if ecosystem not in ("npm", "pypi"):
        return None
    known, slips = _index(ecosystem)
    plain = _normal(name)
    if len(plain) < _LEAST or plain in known or plain.startswith("@"):
        return None
    near = {popular for slip in _slips(plain) for popular in slips.get(slip, ())}
    near |= {popular for popular in slips.get(plain.replace("-", ""), ()) if "-" in popular}
    matches = sorted(popular for popular in near if _is_near(plain, popular))
    return matches[0] if matches else None


def is_known_package(name: str, ecosystem: str) -> bool:
    """Whether a package of `pypi` or `npm` is among those that many projects use; False for other ecosystems."""
    return ecosystem in ("npm", "pypi") and _normal(name) in _index(ecosystem)[0]


def _is_near(name: str, popular: str) -> bool:
    if name.replace("-", "") == popular.replace("-", ""):
        return True
    if {*name} - {*popular} <= {*"0123456789"} and name.rstrip("0123456789-") == popular.rstrip("0123456789-"):
        return False  # `name2` is a successor as often as a slip
    return len(popular) >= _LEAST and edits(name, popular) == 1


def _normal(name: str) -> str:
    """The normalized name of PEP 503; npm's names are always lower case."""
    return name.lower().replace("_", "-").replace(".", "-")


def _slips(name: str) -> Iterator[str]:
    """The name, and the name without each one of its letters. Two names one edit apart share one of these."""
    yield name
    yield from (name[:at] + name[at + 1 :] for at in range(len(name)))


@functools.cache
def _index(ecosystem: str) -> tuple[frozenset[str], dict[str, list[str]]]:
    popular = [_normal(name) for name in (_PYPI if ecosystem == "pypi" else _NPM).split()]
    slips: dict[str, list[str]] = {}
    for name in popular:
        for slip in {*_slips(name), name.replace("-", "")} if len(name) >= _LEAST else ():
            slips.setdefault(slip, []).append(name)
    return frozenset(popular).union(map(_normal, _HONEST[ecosystem].split())), slips
